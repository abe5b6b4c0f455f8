// Shows an unmatched receipt beside a loan, and posts the receipt to that loan (D3 §6 rule 4).
import { formFrom } from '#kit/http/body.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { leadOfCase, lockCase } from '#partner/case/store.ts'
import { postByHand } from '#partner/collection/post-by-hand.ts'
import { receiptTexts } from '#partner/collection/receive-receipt.ts'
import { caseOfLoan, findReceipt } from '#partner/collection/store.ts'
import type { Context } from '#partner/context.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/applicant-name.ts'
import { deskRoute, statusOf } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, factList, goTo } from '#partner/desk/frame.ts'
import { badge, formatDay, inr, labelOf, toSentence } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import { accountOf } from '#partner/loan/account.ts'

const path = '/desk/money/receipts/{provider}/{receiptId}'
const common = { section: 'D3 §6', auth: may('RECEIPT_POSTED'), hidden: true, viewAct: 'RECEIPT_VIEWED' } as const
const params = Type.Object({
  provider: Type.String({ maxLength: 100 }),
  receiptId: Type.String({ maxLength: 200 }),
})

type ReceiptKey = { provider: string; receiptId: string }

/** Finds the only loan with this number, and reads its account. */
async function findLoan({ db, seal }: Context, number: string) {
  const caseRef = await caseOfLoan(db, [number])
  if (caseRef === undefined) return undefined
  const [account, lead] = await Promise.all([accountOf(db, caseRef), leadOfCase(db, caseRef)])
  return account && { caseRef, account, name: nameOfBorrower(openLead(seal, caseRef, lead)) }
}

interface ReceiptPageRequest {
  key: ReceiptKey
  number: string
  problem: string | null
  status?: number
}

async function receiptPage(ctx: Context, who: Staff, { key, number, problem, status = 200 }: ReceiptPageRequest) {
  const receipt = await findReceipt(ctx.db, key.provider, key.receiptId)
  if (!receipt) throw new Refusal('absent', 'this receipt does not exist')
  const { payer, remark } = receiptTexts(ctx.seal, receipt)
  const loan = await findLoan(ctx, number)
  const action = `/desk/money/receipts/${encodeURIComponent(key.provider)}/${encodeURIComponent(key.receiptId)}`
  const body = html`<div class="columns">
<section class="card"><h2>Receipt</h2>${factList([
    ['Amount', inr(receipt.amountPaise)],
    ['From', payer],
    ['Remark', remark],
    ['Value date', formatDay(receipt.valueOn)],
    ['Method', labelOf(receipt.method)],
    ['Reference', receipt.transactionReference],
    ['Posted to', receipt.caseRef && caseLink(receipt.caseRef, 'a case')],
  ])}</section>
<section class="card"><h2>Loan ${number}</h2>${
    loan
      ? html`${factList([
          ['Borrower', caseLink(loan.caseRef, loan.name)],
          ['State', badge(loan.account.loanStatus)],
          ['Overdue', inr(loan.account.soa.overduePaise)],
          ['Total outstanding', inr(loan.account.soa.totalPaise)],
        ])}${receipt.caseRef === null && html`<form method="post" action="${action}"><input type="hidden" name="number" value="${number}"><button class="primary">Post ${inr(receipt.amountPaise)} to this loan</button></form>`}`
      : html`<p class="empty">No loan, or several loans, have this number.</p>`
  }
<form class="search" method="get" action="${action}"><label><span>Another loan or account number</span><input name="number" inputmode="numeric" required></label><button class="secondary">Find</button></form>
</section></div>`
  return deskPage(ctx, who, { title: 'Match a receipt', area: '/desk/money', problem, body }, status)
}

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  params,
  query: Type.Object({ number: Type.String({ maxLength: 100 }) }),
  summary: 'A receipt beside the loan that it may belong to',
  handle: ({ who, params: key, query }, ctx) =>
    receiptPage(ctx, who, { key, number: query.number.trim(), problem: null }),
})

const post = deskRoute({
  ...common,
  method: 'POST',
  path,
  params,
  summary: 'Post a receipt to a loan',
  accepts: 'raw',
  async handle({ who, params: key, raw, at }, ctx) {
    const caseRef = await caseOfLoan(ctx.db, [numberIn(raw)])
    if (caseRef === undefined) throw new Refusal('wrong-state', 'no single loan has this number')
    await ctx.db.tx(async (tx) => {
      await postByHand({ ...ctx, tx, at }, await lockCase(tx, caseRef), { ...key })
      const about = { caseRef, subject: key.receiptId }
      await noteAct(tx, { staffId: who.staffId, act: 'RECEIPT_POSTED', about, at })
    })
    return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
  },
  onRefusal: ({ who, params: key, raw }, refusal, ctx) =>
    receiptPage(ctx, who, {
      key,
      number: numberIn(raw),
      problem: toSentence(refusal.message),
      status: statusOf(refusal),
    }),
})

const numberIn = (raw: Buffer): string => formFrom(raw).get('number')?.trim() ?? ''

export const receiptRoutes = [show, post]
