// The key facts statement as a page that can be read aloud, printed, and kept as a PDF.
import { type Html, html } from '#kit/http/markup.ts'
import type { PageFrame } from '#kit/http/page-frame.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { framed } from '#sandbox/lender/pages/layout.ts'
import type { Fact, KeyFacts } from './key-facts.ts'

export const keyFactsPage = (policy: Policy, facts: KeyFacts, pdfUrl: string): PageFrame =>
  framed({
    title: facts.title,
    policy,
    wide: true,
    body: html`<p>Proposal ${facts.proposalNumber}, ${facts.issuedOn}. ${facts.validity}</p>
<p><a href="${pdfUrl}">Download as PDF</a></p>
${table('Part 1: interest rate, fees and charges', facts.terms)}
${table('Part 2: other qualitative information', facts.assurances)}
${facts.security.length > 0 && table(facts.securityTitle, facts.security)}
${table(facts.computationTitle, facts.computation)}
<h2 id="schedule">${facts.scheduleTitle}</h2>
${facts.illustration && html`<p>${facts.illustration.en}</p><p lang="hi">${facts.illustration.hi}</p>`}
<div class="table" role="region" aria-labelledby="schedule" tabindex="0"><table>
<thead><tr><th scope="col" class="number">No.</th><th scope="col">Due on</th><th scope="col" class="number">Outstanding principal</th><th scope="col" class="number">Principal</th><th scope="col" class="number">Interest</th><th scope="col" class="number">Instalment</th></tr></thead>
<tbody>${facts.schedule.map(
      (row) =>
        html`<tr><th scope="row" class="number">${row.number}</th><td>${row.dueOn}</td><td class="number">${row.opening}</td><td class="number">${row.principal}</td><td class="number">${row.interest}</td><td class="number">${row.amount}</td></tr>`,
    )}</tbody>
</table></div>`,
  })

const table = (title: string, rows: Fact[]): Html => html`<h2>${title}</h2>
<table><tbody>${rows.map(
  ({ number, label, value }) =>
    html`<tr><td class="number">${number}</td><th scope="row">${label}</th><td>${value}</td></tr>`,
)}</tbody></table>`
