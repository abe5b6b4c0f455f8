// Assigns cases in arrears to an agent.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Context, TxContext } from '#partner/context.ts'
import { type CaseToAssign, casesToAssign } from '#partner/desk/arrears/collections-store.ts'
import { openLead } from '#partner/desk/cases/open-lead.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import { lockCases } from '#partner/origination/case/store.ts'
import { listStaff } from '#partner/people/store.ts'
import { introduceAgent } from '#partner/servicing/collection/arrears/introduce-agent.ts'
import { assignAgent } from '#partner/servicing/collection/arrears/store.ts'
import { maxAssigned } from './arrears-list.ts'
import { bulkTexts } from './arrears-text-en.ts'
import { loansText, requireSeenAgents, seenAgentsIn } from './seen-agents.ts'

/** Assigns many cases, all or none. Refused as `assignCases`. */
export const assignChosenCases = (
  ctx: Context,
  { staffId }: SignedIn,
  form: URLSearchParams,
  at: Date,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const caseRefs = [...seenAgentsIn(form).keys()]
    if (caseRefs.length === 0) throw new Refusal('invalid', bulkTexts.noCases, { field: 'case' })
    if (caseRefs.length > maxAssigned) throw new Refusal('invalid', bulkTexts.tooManyCases, { field: 'case' })
    await lockCases(tx, caseRefs)
    await requireSeenAgents(tx, caseRefs, form)
    const subject = await assignCases({ ...ctx, tx, at }, caseRefs, form)
    for (const caseRef of caseRefs)
      await noteAct(tx, { staffId, act: 'AGENT_ASSIGNED', about: { caseRef, subject }, at })
  })

/**
 * Assigns locked cases to the agent of a form, whose id it returns. Refused as `invalid` if the agent may not contact
 * borrowers, or with the loan numbers if a loan is not overdue, or no mail can introduce the agent.
 */
export async function assignCases(context: TxContext, caseRefs: string[], form: URLSearchParams): Promise<string> {
  const { tx, at } = context
  const agent = (await listStaff(tx)).find((each) => each.staffId === form.get('staffId'))
  if (!agent || !can(agent, 'CONTACT_NOTED'))
    throw new Refusal('invalid', bulkTexts.chooseAnAgent, { field: 'staffId' })
  const { staffId } = agent
  const sentByPost = form.get('sentByPost') === 'yes'
  const cases = await casesToAssign(tx, caseRefs, staffId)
  if (cases.length < caseRefs.length) throw new Refusal('absent', bulkTexts.noLoan)
  const problems = [
    loansText(
      bulkTexts.notInArrears,
      cases.filter(({ isOverdue }) => !isOverdue),
    ),
    loansText(bulkTexts.notIntroduced, sentByPost ? [] : cases.filter((each) => !canIntroduce(context, each))),
  ].filter((each) => each !== null)
  if (problems.length > 0)
    throw new Refusal('invalid', `no case was assigned. ${problems.join('. ')}`, { field: 'case' })
  for (const { caseRef } of cases) {
    await assignAgent(tx, caseRef, staffId, at)
    await introduceAgent(context, { caseRef, staffId, sentByPost })
  }
  return staffId
}

const canIntroduce = ({ config, seal }: Context, { caseRef, leadSealed, isIntroduced }: CaseToAssign): boolean =>
  isIntroduced || (config.SMTP_URL !== 'none' && openLead(seal, caseRef, leadSealed).borrower.email !== null)
