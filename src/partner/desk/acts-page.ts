// Who did what at the desk, the newest first.
import { html } from '#kit/markup.ts'
import { Type } from '#kit/schema.ts'
import { route } from '#partner/world.ts'
import { caseLink, deskPage, tableOf } from './frame.ts'
import { atDesk } from './staff.ts'
import { acts } from './staff-act.ts'
import { type ActSeen, listActs } from './store.ts'
import { pageLinks, pageOf } from './turn-page.ts'
import { when } from './words.ts'

const perPage = 50

export const actCells = ({ at, name, act, subject }: ActSeen) => [
  when(at),
  name ?? 'The command line',
  acts[act as keyof typeof acts] ?? act,
  subject,
]

export const actsRoute = route({
  method: 'GET',
  path: '/desk/acts',
  section: 'operation',
  summary: 'What staff did',
  auth: atDesk,
  hidden: true,
  query: Type.Object({ page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })) }),
  async handle({ who, query }, world) {
    const page = Number(query.page ?? 1)
    const { rows, hasMore } = pageOf(await listActs(world.db, null, perPage + 1, (page - 1) * perPage), perPage)
    const cells = rows.map((each) => [
      ...actCells(each),
      each.caseRef && caseLink(each.caseRef, each.loanId ? `Loan ${each.loanId}` : each.caseRef),
    ])
    const body = html`<section>
<p>Every act is written down with its effect, by whom and when. What the rules do by themselves stands in the history of a case.</p>
${tableOf('Acts', ['When', 'Who', 'What', 'About', 'Case'], cells, { empty: 'Nobody has done anything yet.' })}
${pageLinks('/desk/acts', {}, page, hasMore)}</section>`
    return deskPage(world, who, { title: 'Who did what', here: '/desk/acts', body })
  },
})
