// The frame of a lender's pages: its name, its colours, and who answers for it.
import { type Html, html } from '#kit/http/markup.ts'
import { framed as framedPage, type Page } from '#sandbox/core/page.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'

interface LenderPage extends Pick<Page, 'title' | 'body' | 'closes' | 'wide'> {
  policy: Policy
}

export const framed = ({ title, policy, ...page }: LenderPage): Html =>
  framedPage({
    ...page,
    title: `${title} · ${policy.name}`,
    heading: title,
    brand: policy.name,
    logo: `/lenders/${policy.slug}/logo.svg`,
    sheet: `/lenders/${policy.slug}/colours.css`,
    footer: html`<p>${policy.legalName}, ${policy.address}. Grievance officer: ${policy.officer.name}, ${policy.officer.phone}, <a href="mailto:${policy.officer.email}">${policy.officer.email}</a>.</p><p>This lender is fictional. Nothing here lends money.</p>`,
  })
