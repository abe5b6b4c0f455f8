// The forms of the desk, from its own pages, so that generated forms have real fields.
import { readHtml } from '@lendloom/http/html'

type Fields = [string, string][]

export interface FormSamples {
  /** At least one set of fields for the path of a route. */
  fieldsFor(path: string): Fields[]
}

const pages = (caseRef: string): string[] => [
  '/desk',
  '/desk/cases',
  '/desk/search',
  '/desk/money',
  '/desk/limits',
  '/desk/policy',
  '/desk/books/bank',
  '/desk/people',
  '/desk/me',
  '/desk/collections',
  '/desk/approvals',
  '/desk/exchange',
  `/desk/cases/${caseRef}`,
  '/desk/reports',
  '/desk/refunds',
  `/desk/cases/${caseRef}/payoff`,
]

export async function deskForms(partnerUrl: string, cookie: string, caseRef: string): Promise<FormSamples> {
  const found = new Map<string, Fields[]>()
  for (const page of pages(caseRef)) {
    const html = await (await fetch(partnerUrl + page, { headers: { cookie }, redirect: 'manual' })).text()
    for (const form of readHtml(html).all('form')) {
      const path = new URL(form.attributes.action || page, partnerUrl).pathname
      const fields = form
        .all('input', 'select', 'textarea')
        .flatMap(({ attributes }): Fields => (attributes.name ? [[attributes.name, valueFor(attributes)]] : []))
      found.set(path, [...(found.get(path) ?? []), fields])
    }
  }
  const usual: Fields = [
    ['reason', 'a reason that is long enough'],
    ['amount', '500.00'],
    ['text', 'a note'],
  ]
  return {
    fieldsFor(path) {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      const fitting = [...found].flatMap(([action, fields]) => (pattern.test(action) ? fields : []))
      return fitting.length > 0 ? fitting : [usual]
    },
  }
}

const byType: Record<string, string> = {
  date: '2026-12-01',
  number: '5',
  email: 'a@b.example',
  checkbox: 'on',
  password: 'correct horse battery',
}

const valueFor = ({ value, type = 'text' }: Record<string, string>): string =>
  value || (byType[type] ?? 'a reason that is long enough')
