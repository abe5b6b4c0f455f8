// The borrower's payout account: the lead's account, or the account of the latest change. The bank confirms its owner
// (D3 §2.3).

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import { fullName } from '@lendloom/wire/exchange/lead'
import type { Context, TxContext } from '#partner/context.ts'
import { type Case, hasEndedWithoutLoan, leadContext } from '#partner/origination/case/lifecycle.ts'
import { searchKey } from '#partner/origination/case/search/search-key.ts'
import { addSearchKeys } from '#partner/origination/case/search/store.ts'
import { readLead } from '#partner/origination/case/store.ts'
import { loanStatusIn } from '#partner/servicing/loan/store.ts'
import type { Payee } from './carry-out-transfer.ts'
import { payeeContext } from './disbursement.ts'
import { refundContext } from './refund.ts'
import { addAccountChange, type ConfirmedTransfer, countPendingTransfers, latestAccountChange } from './store.ts'

/**
 * Returns the lead's account, which is also the account of the mandate, with the borrower's name. Throws `absent` if
 * the case has no lead, and `wrong-state` if the lead has no account.
 */
export async function leadAccountOf(db: Run, { seal }: Pick<Context, 'seal'>, caseRef: string): Promise<Payee> {
  const sealed = await readLead(db, caseRef)
  if (!sealed) throw new Refusal('absent', 'this case has no lead')
  const { borrower, banking } = seal.openJson<Pick<LeadSubmitted, 'borrower' | 'banking'>>(sealed, leadContext(caseRef))
  if (!banking.account) throw new Refusal('wrong-state', 'no bank account of the borrower is known')
  const { holder_name, account_number, ifsc } = banking.account
  return {
    account: { holder_name, account_number, ifsc },
    borrowerName: fullName(borrower),
    pan: borrower.pan,
  }
}

const changeContext = (caseRef: string): string => `account_change ${caseRef}`

/** Returns the account of the latest approved change; null if the account was never changed. */
export async function changedPayoutAccount(
  db: Run,
  { seal }: Pick<Context, 'seal'>,
  caseRef: string,
): Promise<Payee['account'] | null> {
  const sealed = await latestAccountChange(db, caseRef)
  return sealed ? seal.openJson<Payee['account']>(sealed, changeContext(caseRef)) : null
}

/** Returns the current payout account with the borrower's name. Throws the errors of `leadAccountOf`. */
export async function payoutAccountOf(db: Run, ctx: Pick<Context, 'seal'>, caseRef: string): Promise<Payee> {
  const [payer, account] = await Promise.all([leadAccountOf(db, ctx, caseRef), changedPayoutAccount(db, ctx, caseRef)])
  return account ? { ...payer, account } : payer
}

/** Returns the account to which a confirmed transfer went. */
export const payeeOfTransfer = (
  seal: Seal,
  { kind, transferId, payeeSealed }: Pick<ConfirmedTransfer, 'kind' | 'transferId' | 'payeeSealed'>,
): Payee => seal.openJson<Payee>(payeeSealed, kind === 'refund' ? refundContext(transferId) : payeeContext(transferId))

/**
 * Changes the payout account, but not the mandate; the caller has locked the case. Throws `wrong-state` if the
 * application has ended, or while a transfer is pending.
 */
export async function changePayoutAccount(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  { caseRef, status }: Pick<Case, 'caseRef' | 'status'>,
  { account, approvedBy }: { account: Payee['account']; approvedBy: string },
): Promise<void> {
  // A case whose payout came back may owe the borrower a refund.
  if (hasEndedWithoutLoan(status) && (await loanStatusIn(tx, caseRef)) === undefined)
    throw new Refusal('wrong-state', 'this application has ended, so no money will be sent')
  if ((await countPendingTransfers(tx, caseRef)) > 0)
    throw new Refusal(
      'wrong-state',
      'a transfer to the borrower is pending: change the account once it has arrived or failed',
    )
  await Promise.all([
    addAccountChange(tx, {
      caseRef,
      approvedBy,
      changedAt: at,
      accountSealed: seal.json(account, changeContext(caseRef)),
    }),
    // Lets the desk find the case by its payout account.
    addSearchKeys(tx, caseRef, [searchKey(seal, 'account', account.account_number)]),
  ])
}
