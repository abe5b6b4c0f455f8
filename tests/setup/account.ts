// Loan accounts of the partner in a test database. Every change locks the case first, as production code does.

import { createHash } from 'node:crypto'
import { after } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { insertCase, lockCase } from '@lendloom/partner/src/origination/case/store.ts'
import { productSettings } from '@lendloom/partner/src/origination/review/settings.ts'
import { finalTerms, type LoanTerms, type ProposedTerms } from '@lendloom/partner/src/origination/terms/terms.ts'
import { acceptExitRequest, type ExitRequest } from '@lendloom/partner/src/servicing/loan/accept-exit-request.ts'
import { accountOf } from '@lendloom/partner/src/servicing/loan/account-view.ts'
import { dayEnd, type ReportStatusChanges } from '@lendloom/partner/src/servicing/loan/day-end.ts'
import { exitAmountOn } from '@lendloom/partner/src/servicing/loan/exit.ts'
import type { PartPaymentKeeps } from '@lendloom/partner/src/servicing/loan/loan.ts'
import { openLoan } from '@lendloom/partner/src/servicing/loan/open-loan.ts'
import { postReceipt } from '@lendloom/partner/src/servicing/loan/post-receipt.ts'
import { reverseReceipt } from '@lendloom/partner/src/servicing/loan/reverse-receipt.ts'
import { agreeSettlement } from '@lendloom/partner/src/servicing/loan/settlement/agree-settlement.ts'
import { lockAccount, savePartPaymentChoice } from '@lendloom/partner/src/servicing/loan/store.ts'
import { connect, type Db, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from './database.ts'

/** ₹1,00,000 at 24 % over 22 weeks. After two days of grace, up to `most` weekly penalties of 1 % are charged. */
export const proposedTerms: ProposedTerms = {
  amountPaise: 100_000_00n,
  tenureWeeks: 22,
  annualRatePercent: '24',
  feePercent: '2',
  taxPercent: '18',
  otherChargesPaise: 0n,
  penalty: { bps: 100, graceDays: 2, everyDays: 7, most: 4 },
  coolOffDays: 3,
}
/** The disbursement day; instalments are due on the following Fridays. */
export const disbursedOn = '2026-11-20'

export async function testAccounts() {
  const databaseUrl = await testDatabase('partner')
  const db = connect(databaseUrl, { connections: 8 })
  after(() => db.close())
  return { databaseUrl, ...accountsOn(db) }
}

export function accountsOn(db: Db) {
  let caseCount = 0
  let at = new Date('2026-11-20T06:00:00.000Z')
  const clock = () => at
  const ctx = { db, clock, log: quietLog, config: configFrom(productSettings, {}) }
  const act = <T>(caseRef: string, work: (tx: Tx, at: Date) => Promise<T>): Promise<T> =>
    db.tx(async (tx) => {
      await lockCase(tx, caseRef)
      return work(tx, at)
    })

  return {
    db,
    ctx,
    act,
    setClock: (now: Date) => {
      at = now
    },
    /** Creates a case with a disbursed loan, by default for a new borrower, and returns its reference. */
    async open(proposed: Partial<ProposedTerms> = {}, on = disbursedOn, pan?: string): Promise<string> {
      const caseRef = await newCase(db, ++caseCount, at, pan)
      const terms = finalTerms({ ...proposedTerms, ...proposed })
      await act(caseRef, (tx) =>
        openLoan(
          tx,
          {
            caseRef,
            loanId: `7000${caseCount}`,
            loanAccountId: `LN7000${caseCount}`,
            terms,
            disbursedPaise: terms.netPaise,
            disbursedOn: on,
            bankReference: `UTR${caseCount}`,
          },
          at,
        ),
      )
      return caseRef
    },
    /** Writes charges directly to the first instalments, because the lender cannot book charges yet. */
    chargeRows: (caseRef: string, charges: Paise[]) =>
      db`
        update installment i set charges_paise = input.paise
        from unnest(${charges}::bigint[]) with ordinality as input (paise, number)
        where i.case_ref = ${caseRef} and i.number = input.number`,
    receive: (caseRef: string, paise: Paise, valueOn: string, paymentId: string = uuidv4(), isPartPayment = false) =>
      act(caseRef, (tx) => postReceipt(tx, { caseRef, paymentId, paise, valueOn, isPartPayment }, at)),
    /** Sets whether later part payments keep the instalment or the term. */
    setPartPaymentChoice: (caseRef: string, keeps: PartPaymentKeeps) =>
      act(caseRef, (tx) => savePartPaymentChoice(tx, caseRef, keeps)),
    requestExit: (caseRef: string, today: string, request: Partial<ExitRequest> = {}) =>
      act(caseRef, (tx, now) =>
        acceptExitRequest(tx, caseRef, { requestedOn: today, reference: null, today, ...request }, now),
      ),
    /** The amount of a cooling-off exit on a day, in paise. */
    exitOn: (caseRef: string, on: string) =>
      act(caseRef, async (tx, now) => {
        const account = await lockAccount(tx, caseRef)
        if (!account) throw new Error('the account does not exist')
        return exitAmountOn(account.loan, account.rows, on, now).total
      }),
    reverse: (caseRef: string, paymentId: string, reversedOn: string, reversalPaymentId: string = uuidv4()) =>
      act(caseRef, (tx) => reverseReceipt(tx, { caseRef, paymentId, reversalPaymentId, reversedOn }, at)),
    endDay: (through: string, announce: ReportStatusChanges = async () => {}, batch?: number) =>
      dayEnd(ctx, through, announce, batch),
    async view(caseRef: string) {
      const view = await accountOf(db, caseRef)
      if (!view) throw new Error('the account does not exist')
      return view
    },
  }
}

/** The disbursement that opens a case's account. */
export const openingOf = (caseRef: string, terms: LoanTerms) => ({
  caseRef,
  loanId: '1',
  loanAccountId: 'LN1',
  terms,
  disbursedPaise: terms.netPaise,
  disbursedOn,
  bankReference: 'UTR',
})

/** Creates a case without a loan, with the fields that an account needs. */
export async function newCase(db: Db, number: number, at: Date, pan?: string): Promise<string> {
  const caseRef = uuidv4()
  await db.tx((tx) =>
    insertCase(
      tx,
      {
        caseRef,
        sender: 'LENDLOOM',
        leadId: `6000${number}`,
        loanId: `7000${number}`,
        product: 'BUSINESS_LOAN',
        mandateRequired: true,
        requestedPaise: 10_000_000n,
        panDigest: createHash('sha256')
          .update(pan ?? caseRef)
          .digest(),
        personDigest: Buffer.alloc(32),
        sourceEventId: uuidv4(),
        leadSealed: Buffer.alloc(1),
      },
      at,
    ),
  )
  return caseRef
}

/** Opens a loan that is settled on the day for 50,000 rupees, and paid. */
export async function openSettled(
  { open, endDay, setClock, act, receive }: ReturnType<typeof accountsOn>,
  on: string,
): Promise<string> {
  const caseRef = await open()
  await endDay(plusDays(on, -1))
  setClock(startOf(on))
  await act(caseRef, (tx, at) => agreeSettlement(tx, caseRef, { paise: 50_000_00n, until: on, today: on }, at))
  await receive(caseRef, 50_000_00n, on)
  return caseRef
}
