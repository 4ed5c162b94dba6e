#!/usr/bin/env python3
"""Reports rows that nothing uses: those of grader/diagnostics/<language>.po whose text is no format of tr(),
markup(), print_out() or print_err(), no word in the sources and no title of the course; those of
courses/<course>/languages/<language>.po whose text is no title and no word of that course's labs. --delete
removes them. Status 1 if there are some."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|/\*.*?\*/', re.S)
HOLE = re.compile(r'\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}')
LABEL = re.compile(r' (?:aria-label|title)=\\?"([^"]*?)\\?"')


def without_comments(text):
    return COMMENT.sub(lambda m: m.group(0) if m.group(0)[0] in '"\'' else ' ', text)


def literals(text):
    """The string literals of a source, adjacent ones joined."""
    text = without_comments(RAW.sub('""', text))
    joined, end = None, 0
    for match in LITERAL.finditer(text):
        if joined is not None and text[end:match.start()].strip() == '':
            joined += match.group(1)
        else:
            if joined is not None:
                yield joined
            joined = match.group(1)
        end = match.end()
    if joined is not None:
        yield joined


def shape(text):
    """The format as a row has it: {} for each hole, without blanks around it."""
    out, at = '', 0
    while at < len(text):
        if text[at:at + 2] in ('{{', '}}'):
            out += text[at]
            at += 2
        elif text[at] == '{' and (hole := HOLE.match(text, at)):
            out += '{}'
            at = hole.end()
        else:
            out += text[at]
            at += 1
    return out.replace('\\n', '\n').strip(' \n')


def texts_of_grader():
    used = set()
    kinds = (ROOT / 'grader/device/protocol/device_kinds.def').read_text(encoding='utf-8')
    used.update(re.findall(r'^CUDALABS_DEVICE_KIND\(\w+, +(\w+)', kinds, re.M))  # results name the device
    opcodes = (ROOT / 'grader/sim/ptx/opcodes.def').read_text(encoding='utf-8')
    used.update(re.findall(r'"([^"]*)", "", "", "", Refused\)', opcodes))  # what to write instead
    return used


def texts_of_sources(folders):
    used = set()
    for folder in folders:
        for path in folder.rglob('*'):
            if path.suffix in ('.cpp', '.h'):
                for literal in literals(path.read_text(encoding='utf-8')):
                    used.add(shape(literal))
                    used.add(shape(literal) + 's')  # the noun of counted(): the row is "{} nouns"
                    used.add('{} ' + literal + 's')
                    used.add(literal.replace('_', ' '))
                    for piece in re.split(r'<[^>]*>', literal):
                        used.add(shape(piece))
                    for label in LABEL.findall(literal):
                        used.add(shape(label))
            elif path.suffix == '.yaml':
                for line in path.read_text(encoding='utf-8').splitlines():
                    for value in re.findall(r'(?:title|idea|unit|units): *"?([^"\n]*?)"?\s*[,}]?$', line):
                        used.add(value)
                    used.update(re.findall(r'"([^"]*)"', line))
    return used


def rows_of(text):
    """(text, id) of each block of a .po file; the id is empty for the head and for comments alone."""
    for block in re.split(r'\n\n+', text.strip('\n')):
        match = re.search(r'^msgid "(.*)"$', block, re.M)
        yield block, match.group(1).replace('\\n', '\n').replace('\\"', '"') if match else ''


def tables():
    """Each .po file, and the texts that may use its rows."""
    used = texts_of_grader() | texts_of_sources(ROOT / folder for folder in ('grader', 'configs', 'labs'))
    yield from ((po, used) for po in sorted((ROOT / 'grader/diagnostics').glob('*.po')))
    for course in sorted((ROOT / 'courses').iterdir()):
        used = texts_of_sources([course])
        yield from ((po, used) for po in sorted((course / 'languages').glob('*.po')))


def main():
    found = 0
    for po, texts in tables():
        used = {text.replace('\\"', '"') for text in texts}
        kept = []
        for block, identity in rows_of(po.read_text(encoding='utf-8')):
            if identity == '' or identity in used:
                kept.append(block)
                continue
            found += 1
            print(f'{po.relative_to(ROOT)}: nothing uses "{identity}"')
            comments = [line for line in block.split('\n') if line.startswith('#')]
            if comments:
                kept.append('\n'.join(comments))
        if '--delete' in sys.argv:
            # A comment heads the rows below it: without rows it goes, too.
            heads = [i for i, block in enumerate(kept) if i > 1 and block.startswith('#') and 'msgid' not in block]
            for i in reversed(heads):
                if i + 1 == len(kept) or kept[i + 1].startswith('#'):
                    del kept[i]
            po.write_text('\n\n'.join(kept) + '\n', encoding='utf-8')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
