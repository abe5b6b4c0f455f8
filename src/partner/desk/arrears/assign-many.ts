// Assigns many cases to one agent, all or none of them.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { lockCases } from '#partner/case/store.ts'
import { introduceAgent } from '#partner/collection/arrears/introduce.ts'
import { assignAgent } from '#partner/collection/arrears/store.ts'
import type { Context } from '#partner/context.ts'
import { openLead } from '#partner/desk/cases/applicant-name.ts'
import { type CaseToAssign, casesToAssign } from '#partner/desk/collection/store.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import { can, noteAct } from '#partner/desk/staff/staff-act.ts'
import { listStaff } from '#partner/desk/store.ts'
import { maxAssigned } from './arrears-list.ts'
import { bulkTexts } from './arrears-text-en.ts'

/** Refused as `invalid` with the loan numbers if a loan is not overdue, or no mail can introduce the agent. */
export const assignMany = (ctx: Context, { staffId }: SignedIn, form: URLSearchParams, at: Date): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const caseRefs = [...new Set(form.getAll('case'))]
    if (caseRefs.length === 0) throw new Refusal('invalid', bulkTexts.noCases, { field: 'case' })
    if (caseRefs.length > maxAssigned) throw new Refusal('invalid', bulkTexts.tooManyCases, { field: 'case' })
    const agentId = await agentIn(tx, form)
    const sentByPost = form.get('sentByPost') === 'yes'
    const locked = await lockCases(tx, caseRefs)
    const cases = await casesToAssign(tx, caseRefs, agentId)
    if (locked.length < caseRefs.length || cases.length < caseRefs.length)
      throw new Refusal('absent', 'one of these cases does not exist')
    const problems = [
      problemOf(
        bulkTexts.notInArrears,
        cases.filter(({ isOverdue }) => !isOverdue),
      ),
      problemOf(bulkTexts.notIntroduced, sentByPost ? [] : cases.filter((each) => !canIntroduce(ctx, each))),
    ].filter((each) => each !== null)
    if (problems.length > 0)
      throw new Refusal('invalid', `no case was assigned. ${problems.join('. ')}`, { field: 'case' })
    for (const { caseRef } of cases) {
      await assignAgent(tx, caseRef, agentId, at)
      await introduceAgent({ ...ctx, tx, at }, { caseRef, staffId: agentId, sentByPost })
    }
    for (const { caseRef } of cases)
      await noteAct(tx, { staffId, act: 'AGENT_ASSIGNED', about: { caseRef, subject: agentId }, at })
  })

async function agentIn(tx: Tx, form: URLSearchParams): Promise<string> {
  const agent = (await listStaff(tx)).find((each) => each.staffId === form.get('staffId'))
  if (!agent || !can(agent, 'CONTACT_NOTED'))
    throw new Refusal('invalid', bulkTexts.chooseAnAgent, { field: 'staffId' })
  return agent.staffId
}

const problemOf = (reason: string, cases: CaseToAssign[]): string | null =>
  cases.length === 0
    ? null
    : `${cases.length === 1 ? 'Loan' : 'Loans'} ${cases.map(({ loanId }) => loanId).join(', ')}: ${reason}`

const canIntroduce = ({ config, seal }: Context, { caseRef, leadSealed, isIntroduced }: CaseToAssign): boolean =>
  isIntroduced || (config.SMTP_URL !== 'none' && openLead(seal, caseRef, leadSealed).borrower.email !== null)
