// The links between the pages of the books.

import { type Html, html } from '@lendloom/http/markup'

const parts = [
  ['/desk/books', 'Trial balance'],
  ['/desk/books/financials', 'Balance sheet and profit'],
  ['/desk/books/bank', 'Bank reconciliation'],
  ['/desk/books/tax-documents', 'Invoices'],
  ['/desk/books/month-end', 'Month-end'],
] as const

export const booksTabs = (current: (typeof parts)[number][0]): Html =>
  html`<nav class="tabs" aria-label="Parts of the books">${parts.map(([path, name]) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${name}</a>`)}</nav>`
