// The list of cases: how many stand where, and those that somebody looks for.
import { html } from '#kit/markup.ts'
import { OneOf, Type } from '#kit/schema.ts'
import { caseStatuses } from '#partner/case/lifecycle.ts'
import { route } from '#partner/world.ts'
import { badge, framed, pageAnswer, tableOf, when } from './frame.ts'
import { atDesk } from './staff.ts'
import { countCases, listCases } from './store.ts'

const most = 100
const loanStatuses = ['ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'] as const

export const casesRoute = route({
  method: 'GET',
  path: '/desk',
  section: 'D3 §3',
  summary: 'The cases of the lender',
  auth: atDesk,
  hidden: true,
  query: Type.Object({
    status: Type.Optional(OneOf(['', ...caseStatuses, ...loanStatuses])),
    number: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  async handle({ who, query }, world) {
    const [status, number] = [query.status || null, query.number?.trim() || null]
    const [counts, cases] = await world.db.snapshot((db) =>
      Promise.all([countCases(db), listCases(db, { status, number }, most)]),
    )
    const inOrder = caseStatuses.flatMap((each) => counts.filter((counted) => counted.status === each))
    const options = ['', ...caseStatuses, ...loanStatuses].map(
      (each) =>
        html`<option value="${each}"${each === (status ?? '') && html` selected`}>${each ? each.toLowerCase().replaceAll('_', ' ') : 'any'}</option>`,
    )
    const rows = cases.map((line) => [
      html`<a href="/desk/cases/${encodeURIComponent(line.caseRef)}">${line.loanId}</a>`,
      badge(line.status),
      line.loanStatus && badge(line.loanStatus),
      line.nextDueOn,
      when(line.updatedAt),
      line.caseRef,
    ])
    const body = html`<ul class="counts" aria-label="Cases by state">${inOrder.map(
      (each) => html`<li><a href="/desk?status=${each.status}">${badge(each.status)}</a> ${each.count}</li>`,
    )}</ul>
<section><form class="search" method="get" action="/desk">
<label><span>Number of the case, lead, loan or account</span><input name="number" value="${number}"></label>
<label><span>State</span><select name="status">${options}</select></label>
<button>Show</button></form>
${tableOf('Cases', ['Loan', 'Case', 'Account', 'Next due', 'Changed', 'Reference'], rows, number || status ? 'No case is like that.' : 'No lead has come in yet.')}
${cases.length === most && html`<p class="empty">Only the newest ${most} are shown.</p>`}
</section>`
    return pageAnswer(framed({ title: 'Cases', staff: who, lender: world.config.PARTNER_LENDER_NAME, body }))
  },
})
