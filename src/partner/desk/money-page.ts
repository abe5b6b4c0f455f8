// The money that needs somebody: debits that are held or under way, claims, and receipts that nobody is known to have paid.
import { type Html, html } from '#kit/http/markup.ts'
import { Type } from '#kit/http/schema.ts'
import { collectDue } from '#partner/collection/collect-due.ts'
import { wordsOf } from '#partner/collection/receive-receipt.ts'
import { type BankReceipt, unpostedReceipts } from '#partner/collection/store.ts'
import { type Context, route } from '#partner/context.ts'
import { holdReason, holdTexts } from './collection-texts.ts'
import { badge, counted, day, inr, plain } from './format.ts'
import { button, caseLink, deskPage, goTo, masked, tableOf } from './frame.ts'
import { waiting } from './queue/age.ts'
import { can } from './roles.ts'
import { atDesk, may } from './staff.ts'
import { noteAct } from './staff-act.ts'
import { type HoldLine, listClaims, listDebits, listHolds, type PaymentLine } from './store.ts'

const path = '/desk/money'
const most = 100
const common = { section: 'D3 §6', auth: atDesk, hidden: true } as const

const show = route({
  ...common,
  method: 'GET',
  path,
  summary: 'Debits, claims and receipts that need somebody',
  query: Type.Object({ looked: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })) }),
  async handle({ who, query, at }, ctx) {
    const [holds, debits, claims, receipts] = await ctx.db.snapshot((db) =>
      Promise.all([listHolds(db, most), listDebits(db, most), listClaims(db, most), unpostedReceipts(db, most)]),
    )
    const mayPost = can(who, 'RECEIPT_VIEWED')
    if (mayPost && receipts.length > 0) {
      const about = { detail: { receipts: receipts.length } }
      await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'RECEIPT_VIEWED', about, at }))
    }
    const body = html`${query.looked && html`<p class="notice good" role="status">${counted(Number(query.looked), 'case')} with something due today ${query.looked === '1' ? 'is' : 'are'} being looked at.</p>`}
${receiptsPart(ctx, receipts, { at, mayPost })}
${claimsPart(claims, at)}
${holdsPart(holds, at)}
${debitsPart(debits, can(who, 'COLLECTION_BEGUN'))}`
    return deskPage(ctx, who, { title: 'Payments', here: path, body })
  },
})

const link = ({ caseRef, loanId }: { caseRef: string; loanId: string }) => caseLink(caseRef, loanId)

/** Who paid and what they wrote is shown to those alone who post receipts. */
const receiptsPart = (
  { seal }: Pick<Context, 'seal'>,
  receipts: BankReceipt[],
  { at, mayPost }: { at: Date; mayPost: boolean },
): Html => html`<section><h2>Unmatched receipts</h2>
<p>Money in our account that no claim and no loan number explains. Who knows whose it is writes the number of the loan.</p>
${tableOf(
  'Unmatched receipts',
  ['Value date', 'Age', 'From', 'Remark', 'Method', 'Reference', { number: 'Amount' }, 'Loan'],
  receipts.map((receipt) => {
    const { payer, remark } = mayPost ? wordsOf(seal, receipt) : { payer: masked, remark: masked }
    const id = `${encodeURIComponent(receipt.provider)}/${encodeURIComponent(receipt.receiptId)}`
    return [
      day(receipt.valueOn),
      waiting('receipts', receipt.receivedAt, at),
      payer,
      remark,
      plain(receipt.method),
      receipt.transactionReference,
      inr(receipt.amountPaise),
      mayPost &&
        html`<form class="inline" method="get" action="${path}/receipts/${id}"><input name="number" aria-label="Number of the loan" inputmode="numeric" required><button class="secondary">Find</button></form>`,
    ]
  }),
  { empty: 'Every receipt is posted.' },
)}</section>`

const claimsPart = (claims: PaymentLine[], at: Date): Html => html`<section><h2>Payment claims to verify</h2>
<p>A borrower says that they paid. It is posted as soon as the bank shows it.</p>
${tableOf(
  'Payment claims to verify',
  ['Loan', 'Paid on', 'Method', 'Reference', { number: 'Amount' }, 'Age'],
  claims.map((each) => [
    link(each),
    each.claimedOn && day(each.claimedOn),
    plain(each.method),
    each.claimedReference,
    inr(each.amountPaise),
    waiting('claim', each.createdAt, at),
  ]),
  { empty: 'No claim waits.' },
)}</section>`

const holdsPart = (holds: HoldLine[], at: Date): Html => html`<section><h2>Debits on hold</h2>
${tableOf(
  'Debits on hold',
  ['Loan', 'Why', 'What is held', 'Age'],
  holds.map((each) => [
    link(each),
    holdReason(each.reasonCode),
    holdTexts[each.policy],
    waiting('hold', each.sinceAt, at),
  ]),
  { empty: 'No collection is held.' },
)}</section>`

const debitsPart = (debits: PaymentLine[], mayCollect: boolean): Html => html`<section><h2>Debits in progress</h2>
${tableOf(
  'Debits in progress',
  ['Loan', 'Day', 'State', { number: 'Amount' }],
  debits.map((each) => [
    link(each),
    each.collectionOn && day(each.collectionOn),
    badge(each.status),
    inr(each.amountPaise),
  ]),
  { empty: 'No debit is under way.' },
)}
<p>Each case with something due is looked at once a day: by itself while the rules decide, and else when somebody says so.</p>
${mayCollect && button(`${path}/collect`, 'Collect what is due today')}</section>`

const collectAll = route({
  ...common,
  auth: may('COLLECTION_BEGUN'),
  method: 'POST',
  path: `${path}/collect`,
  summary: 'Look at every case with something due today',
  accepts: 'raw',
  async handle({ who, at }, ctx) {
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'COLLECTION_BEGUN', about: {}, at }))
    return goTo(`${path}?looked=${await collectDue(ctx)}`)
  },
})

export const moneyRoutes = [show, collectAll]
