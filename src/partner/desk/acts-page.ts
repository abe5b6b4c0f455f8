// Who did what at the desk, the newest first.
import { html } from '#kit/http/markup.ts'
import { Type } from '#kit/http/schema.ts'
import { route } from '#partner/context.ts'
import { when } from './format.ts'
import { caseLink, deskPage, tableOf } from './frame.ts'
import { atDesk } from './staff.ts'
import { actText } from './staff-act.ts'
import { type ActSeen, listActs, listFailures } from './store.ts'
import { pageLinks, pageOf } from './turn-page.ts'

const perPage = 50

export const actCells = ({ at, name, act, subject }: ActSeen) => [
  when(at),
  name ?? 'The command line',
  actText(act),
  subject,
]

const mostFailures = 20
const failedTries = (failures: Awaited<ReturnType<typeof listFailures>>) => html`<section>
<h2>Failed sign-ins</h2>
${tableOf(
  'Failed sign-ins',
  ['When', 'E-mail', 'Who', 'From', 'Why'],
  failures.map(({ at, email, name, address, outcome }) => [when(at), email, name, address, reasons[outcome]]),
  { empty: 'No sign-in has failed.' },
)}</section>`
const reasons = { WRONG: 'e-mail or password was wrong', LIMITED: 'there were too many tries' }

export const actsRoute = route({
  method: 'GET',
  path: '/desk/acts',
  section: 'operation',
  summary: 'What staff did',
  auth: atDesk,
  hidden: true,
  query: Type.Object({ page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })) }),
  async handle({ who, query }, ctx) {
    const page = Number(query.page ?? 1)
    const { rows, hasMore } = pageOf(await listActs(ctx.db, null, perPage + 1, (page - 1) * perPage), perPage)
    const cells = rows.map((each) => [
      ...actCells(each),
      each.caseRef && caseLink(each.caseRef, each.loanId ? `Loan ${each.loanId}` : each.caseRef),
    ])
    const failures = page === 1 ? await listFailures(ctx.db, mostFailures) : []
    const body = html`${page === 1 && failedTries(failures)}<section>
<p>Every act is written down with its effect, by whom and when. What the rules do by themselves stands in the history of a case.</p>
${tableOf('Acts', ['When', 'Who', 'What', 'About', 'Case'], cells, { empty: 'Nobody has done anything yet.' })}
${pageLinks('/desk/acts', {}, page, hasMore)}</section>`
    return deskPage(ctx, who, { title: 'Who did what', here: '/desk/acts', body })
  },
})
