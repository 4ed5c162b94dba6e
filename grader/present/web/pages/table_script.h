#pragma once
// The script of the class's page: sorts the table of students by the column whose header is pressed, and
// shows the rows that a search and a choice leave. Without it the page is complete, only not sorted anew.

#include "grader/present/web/html.h"

namespace cudalabs::parts {

inline constexpr html::Piece kTableScript = R"js('use strict';
(() => {
  const tools = document.getElementById('tools');
  const table = document.querySelector('#students table');
  if (!tools || !table) return;
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const search = document.getElementById('search'), only = document.getElementById('only');
  const count = document.getElementById('count');
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !(words.every((word) => texts.get(row).includes(word)) &&
                     (only.value === 'all' || row.classList.contains(only.value)));
      if (!row.hidden) ++shown;
    }
    count.textContent = shown + ' / ' + rows.length;
  };
  const value = (row, column) => row.cells[column].textContent.trim().replace(/^[✓✗!–]\s*/, '');
  const sort = (column, down) => {
    const number = (text) => text === '' ? -Infinity : parseFloat(text);
    const numbers = !heads[column].classList.contains('words') && rows.every((row) => !Number.isNaN(number(value(row, column))));
    const compare = numbers ? (a, b) => (number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0)
                            : new Intl.Collator(document.documentElement.lang, {numeric: true}).compare;
    const sorted = rows.map((row) => [value(row, column), row]);
    sorted.sort((a, b) => (down ? -1 : 1) * compare(a[0], b[0]));
    body.append(...sorted.map((entry) => entry[1]));
    heads.forEach((head, n) => {
      if (n === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sort(column, head.getAttribute('aria-sort') === 'ascending'));
    head.append(button);
  });
  search.addEventListener('input', show);
  only.addEventListener('change', show);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { search.value = ''; show(); }
  });
  tools.hidden = false;
  show();
})();
)js";

}  // namespace cudalabs::parts
