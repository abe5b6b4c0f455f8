// The return of an unmatched receipt: one person enters the payer's account, or the bank's debit if the bank took the
// money back by itself, and another confirms it.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { PayeeAccount } from '@lendloom/wire/bank/bank'
import { compareNames } from '#partner/bank/name-match.ts'
import type { Context } from '#partner/context.ts'
import { approvalLimit } from '#partner/desk/approval/approval-rules.ts'
import {
  closeIfRefused,
  type FourEyesDecision,
  newProposalColumns,
  type ProposalKind,
} from '#partner/desk/approval/four-eyes.ts'
import { readAccount } from '#partner/desk/approval/read-act-forms.ts'
import { listLimits } from '#partner/desk/approval/store.ts'
import { dayIn, readField, reasonIn } from '#partner/desk/parts/read-fields.ts'
import { lockSignedIn, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-acts.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { lockReturnable, orderReturn } from '#partner/servicing/collection/receipt/return/order-return.ts'
import { recordTakenBack } from '#partner/servicing/collection/receipt/return/record-taken-back.ts'
import type { BankDebit } from '#partner/servicing/collection/receipt/return/store.ts'
import type { BankReceipt, ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'
import {
  expireReturnProposals,
  insertReturnProposal,
  lockReturnProposal,
  proposalContext,
  type ReturnProposal,
  type ReturnProposalLine,
  writeReturnProposal,
} from './receipt-return-store.ts'

/** Returns the account of a proposal to send a receipt back. */
export const accountOfProposal = (seal: Seal, { proposalId, accountSealed }: ReturnProposal): PayeeAccount =>
  seal.openJson<PayeeAccount>(required(accountSealed, `account of proposal ${proposalId}`), proposalContext(proposalId))

/** Returns the bank's debit of a proposal to record it; null for a proposal to send the receipt back. */
export const debitOfProposal = ({ takenBackOn, bankReference }: ReturnProposal): BankDebit | null =>
  takenBackOn === null || bankReference === null ? null : { takenBackOn, bankReference }

interface ReturnForm {
  key: ReceiptKey
  form: URLSearchParams
  at: Date
}

/**
 * Proposes a return. Refused: `absent` · `wrong-state` if the receipt is posted, returned, or a proposal waits · `invalid`
 * without a reason, or for an account whose holder is certainly not the payer.
 */
export const proposeReturn = (ctx: Context, who: SignedIn, { key, form, at }: ReturnForm): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const receipt = await lockReturnable(tx, key)
    await lockSignedIn(tx, who)
    const account = readAccount(form)
    const payer = receiptTexts(ctx.seal, receipt).payer?.trim()
    if (payer && compareNames(payer, account.holder_name) === 'DIFFERENT')
      throw new Refusal('invalid', 'the holder of this account is not the payer', { field: 'holder' })
    const proposalId = uuidv7(at.getTime())
    const proposal: ReturnProposal = {
      proposalId,
      provider: key.provider,
      receiptId: key.receiptId,
      accountSealed: ctx.seal.json(account, proposalContext(proposalId)),
      takenBackOn: null,
      bankReference: null,
      reason: reasonIn(form, 'reason', secondPerson),
      ...newProposalColumns(who, at),
    }
    await storeProposal(tx, proposal, at)
    await noteReturn(tx, who, { act: 'RETURN_PROPOSED', receipt, reason: proposal.reason, at })
  })

const secondPerson = 'a second person decides this: '

/**
 * Proposes to record that the bank took a receipt's money back. Refused: as `proposeReturn` · `invalid` for a value date
 * before the receipt's or after today, or without the bank's reference.
 */
export const proposeTakingBack = (ctx: Context, who: SignedIn, { key, form, at }: ReturnForm): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const receipt = await lockReturnable(tx, key)
    await lockSignedIn(tx, who)
    const takenBackOn = dayIn(form, 'day')
    if (takenBackOn < receipt.valueOn || takenBackOn > businessDate(at))
      throw new Refusal('invalid', 'enter a day from the receipt’s value date to today', { field: 'day' })
    const proposal: ReturnProposal = {
      proposalId: uuidv7(at.getTime()),
      provider: key.provider,
      receiptId: key.receiptId,
      accountSealed: null,
      takenBackOn,
      bankReference: readField(form, 'reference', bankReferencePattern),
      reason: reasonIn(form, 'reason', secondPerson),
      ...newProposalColumns(who, at),
    }
    await storeProposal(tx, proposal, at)
    await noteReturn(tx, who, { act: 'TAKING_BACK_PROPOSED', receipt, reason: proposal.reason, at })
  })

/** As long as the references of statements that an accountant may match, with a letter or digit by which to find it. */
const bankReferencePattern = /^(?=[\s\S]{0,199}[\p{L}\p{N}])\S[\s\S]{0,199}$/u

async function storeProposal(tx: Tx, proposal: ReturnProposal, at: Date): Promise<void> {
  await expireReturnProposals(tx, at)
  if (!(await insertReturnProposal(tx, proposal)))
    throw new Refusal('wrong-state', 'the return of this receipt is already waiting for a second person')
}

interface ReturnNote {
  act: Act
  receipt: Pick<BankReceipt, 'receiptId' | 'amountPaise'>
  reason: string
  at: Date
}

const noteReturn = (tx: Tx, { staffId }: SignedIn, { act, receipt, reason, at }: ReturnNote): Promise<void> => {
  const detail = { amount: rupees(receipt.amountPaise), reason }
  return noteAct(tx, { staffId, act, about: { subject: receipt.receiptId, detail }, at })
}

const decisionActs = {
  REFUSED: 'RETURN_REFUSED',
  WITHDRAWN: 'RETURN_WITHDRAWN',
} as const

interface ReturnDecision extends FourEyesDecision {
  key: ReceiptKey
  proposalId: string
}

/** The four-eyes operations on a return. A person confirms up to the limit of their roles for refunds. */
export const returnProposal = (
  ctx: Context,
  who: SignedIn,
  { key, proposalId, at }: ReturnDecision,
): ProposalKind<ReturnProposalLine> => ({
  label: 'return',
  lockSubject: (tx) => tx`
    select 1 from bank_receipt where provider = ${key.provider} and receipt_id = ${key.receiptId} for update`,
  lockProposal: (tx) => lockReturnProposal(tx, { provider: key.provider, receiptId: key.receiptId, proposalId }),
  requireMayDecide() {},
  async execute(tx, proposal) {
    if (proposal.amountPaise > approvalLimit(await listLimits(tx), who, 'REFUND'))
      throw new Refusal('forbidden', `${rupees(proposal.amountPaise)} is more than your roles may approve`)
    const debit = debitOfProposal(proposal)
    await closeIfRefused(async () => {
      if (debit) await recordTakenBack({ tx, at }, key, debit)
      else await orderReturn({ ...ctx, tx, at }, key, accountOfProposal(ctx.seal, proposal))
    })
    return proposal
  },
  async record(tx, proposal, outcome, { reason }) {
    const state = outcome === 'DONE' ? 'CONFIRMED' : outcome
    const decision = { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason } as const
    await writeReturnProposal(tx, proposalId, decision)
    const done = debitOfProposal(proposal) ? 'RECEIPT_TAKEN_BACK' : 'RECEIPT_RETURNED'
    const act = outcome === 'DONE' ? done : decisionActs[outcome]
    await noteReturn(tx, who, { act, receipt: proposal, reason: proposal.reason, at })
  },
})
