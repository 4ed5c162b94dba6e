// CI/check_pages.sh runs this. It opens each page in Chromium, in light and dark mode and at three widths.
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const puppeteer = require('puppeteer-core');
const axe = require('axe-core');

const widths = [360, 800, 1280];
const schemes = ['light', 'dark'];

/// Searches, filters and sorts the table of students as a person without a mouse does.
async function useTools(page, tell) {
  const visible = () => page.$$eval('#students tbody tr', (rows) => rows.filter((row) => !row.hidden).length);
  const all = await page.$$eval('#students tbody tr', (rows) => rows.length);
  if (await page.$eval('#tools', (tools) => tools.hidden)) tell('the tools of the table stay hidden');
  if (all < 2) return;
  await page.focus('#search');
  await page.keyboard.type((await page.$eval('#students tbody th', (cell) => cell.textContent)).slice(0, 30));
  const found = await visible();
  if (found === 0 || found === all) tell(`a search finds ${found} of ${all} students`);
  await page.keyboard.press('Escape');
  if (await visible() !== all) tell('Escape does not end a search');
  await page.select('#only', 'is-ungraded');
  const ungraded = await page.$$eval('#students tr.is-ungraded', (rows) => rows.length);
  if (await visible() !== ungraded) tell('the choice of ungraded students shows others');
  await page.select('#only', 'all');
  for (const order of ['ascending', 'descending']) {
    await page.focus('#students th:nth-child(3) button');
    await page.keyboard.press('Enter');
    const points = await page.$$eval('#students tbody td:nth-child(3)', (cells) => cells.map((cell) => parseFloat(cell.textContent)).filter((p) => !Number.isNaN(p)));
    const sorted = [...points].sort((a, b) => order === 'ascending' ? a - b : b - a);
    if (points.some((value, n) => value !== sorted[n])) tell(`points are not ${order}`);
    if (await page.$eval('#students th:nth-child(3)', (head) => head.getAttribute('aria-sort')) !== order) tell(`a header is not marked ${order}`);
  }
}

/// The pieces of text on each page of a PDF of Chromium's.
function textsByPage(pdf) {
  const text = pdf.toString('latin1');
  const counts = [];
  for (const match of text.matchAll(/\/Type \/Page\b[^]*?\/Contents (\d+) 0 R/g)) {
    const object = text.indexOf(`\n${match[1]} 0 obj`);
    const length = parseInt(/\/Length (\d+)/.exec(text.slice(object, object + 400))[1], 10);
    const begin = text.indexOf('stream\n', object) + 7;
    const content = zlib.inflateSync(pdf.subarray(begin, begin + length), {finishFlush: zlib.constants.Z_SYNC_FLUSH}).toString('latin1');
    counts.push((content.match(/T[jJ]\b/g) || []).length);
  }
  return counts;
}

async function look(browser, file, scheme) {
  const findings = [];
  const tell = (what) => findings.push(`${path.basename(file)} (${scheme}): ${what}`);
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  page.on('console', (message) => tell(`console: ${message.text()}`));
  page.on('pageerror', (error) => tell(`error: ${error.message}`));
  page.on('dialog', (dialog) => { tell(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (request.url() !== `file://${file}`) tell(`asks for ${request.url().slice(0, 100)}`);
  });
  for (const width of widths) {
    await page.setViewport({width, height: 900});
    await page.goto(`file://${file}`);
    const size = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      window: document.documentElement.clientWidth,
      height: document.documentElement.scrollHeight,
      styled: getComputedStyle(document.body).maxWidth !== 'none',
    }));
    if (size.content > size.window) tell(`${size.content} wide in a window of ${size.window}`);
    if (!size.styled) tell('the style sheet was not applied');
    if (process.env.SHOTS) {
      const name = `${path.basename(file, '.html')}-${scheme}-${width}.png`;
      await page.screenshot({path: path.join(process.env.SHOTS, name), clip: {x: 0, y: 0, width, height: Math.min(size.height, 8000)}, captureBeyondViewport: true});
    }
  }
  if (await page.$('#tools') !== null) await useTools(page, tell);
  if (scheme === 'light') {
    const texts = textsByPage(Buffer.from(await page.pdf({format: 'A4'})));
    if (texts.length === 0 || texts[0] < 5) tell(`the first of ${texts.length} printed pages has ${texts[0]} pieces of text`);
  }
  // The page's policy blocks scripts, so the debugger opens the folded parts and runs axe.
  const keyboard = await page.evaluate(() => {
    document.querySelectorAll('details').forEach((d) => { d.open = true; });
    return [...document.querySelectorAll('.scroll, pre')].filter((e) => e.scrollWidth > e.clientWidth && e.tabIndex < 0).length;
  });
  if (keyboard > 0) tell(`${keyboard} scrolling parts that a keyboard does not reach`);
  await page.evaluate(axe.source);
  const result = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  for (const violation of result.violations) {
    const where = violation.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(' | ');
    const what = (`axe, ${violation.impact}: ${violation.id}: ${violation.nodes.length} times: ${where}`);
    if (['serious', 'critical'].includes(violation.impact)) tell(what);
    else console.error(`noted, ${what}`);
  }
  const passes = result.passes.length;
  if (passes < 10) tell(`axe looked at ${passes} things only`);
  await page.close();
  return findings;
}

(async () => {
  const files = process.argv.slice(2);
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: process.getuid() === 0 ? ['--no-sandbox'] : [],
    protocolTimeout: 600000,
  });
  let findings = [];
  try {
    for (const file of files) {
      console.error(path.basename(file));
      if (fs.statSync(file).size === 0) findings.push(`${file} is empty`);
      for (const scheme of schemes) findings = findings.concat(await look(browser, file, scheme));
    }
  } finally {
    await browser.close();
  }
  findings.forEach((finding) => console.log(finding));
  console.log(`${files.length} pages, ${findings.length} findings`);
  process.exitCode = files.length === 0 || findings.length > 0 ? 1 : 0;
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
