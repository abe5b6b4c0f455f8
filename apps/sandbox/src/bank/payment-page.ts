// GET and POST /bank/pay: the form of another bank's app, with which a borrower pays into a lender's account.

import { arrowLeft } from '@lendloom/design/icons'
import { fits } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html, icon } from '@lendloom/http/markup'
import type { Answer } from '@lendloom/http/server'
import { type BankCredit, BorrowerPayment } from '@lendloom/wire/bank/bank'
import { facts, framed, htmlAnswer, notice, type SandboxPage } from '#sandbox/core/page-frame.ts'
import { type BankContext, lendersAt, openRoute } from './bank-route.ts'
import { receivePayment } from './receipts.ts'

const path = '/bank/pay'
const title = 'Pay a lender'
const frame = (body: Html, status = 200): Answer =>
  bankAnswer({ title, back: html`<a class="back" href="/bank">${icon(arrowLeft)}Accounts</a>`, body }, status)

export const bankAnswer = (page: Pick<SandboxPage, 'title' | 'back' | 'body'>, status = 200): Answer =>
  htmlAnswer(framed({ ...page, brand: 'Sandbox Bank' }), status, { back: null })

const showForm = openRoute({
  method: 'GET',
  path,
  summary: 'The form to pay into a lender’s account',
  handle: async (_, ctx) => formPage(ctx, new URLSearchParams(), null),
})

const pay = openRoute({
  method: 'POST',
  path,
  summary: 'Pay into a lender’s account from the form',
  accepts: 'raw',
  maxBytes: 4096,
  async handle({ raw, at }, ctx) {
    const form = formFrom(raw)
    const text = (name: string) => form.get(name)?.trim() ?? ''
    const account = text('account')
    const payment = {
      method: 'NEFT' as const,
      amount: text('amount')
        .replaceAll(/[₹,\s]/g, '')
        .replace(/^\d+$/, '$&.00'),
      payer_name: text('payer'),
      remark: text('remark'),
      account,
    }
    const isKnown = lendersAt(ctx.bank).some(({ holder }) => holder === account)
    if (!isKnown || payment.remark === '' || !fits(BorrowerPayment, payment))
      return formPage(ctx, form, 'Enter an amount above zero such as 1500 or 1500.50, the loan number and your name.')
    return paidPage(await receivePayment(ctx, payment, at))
  },
})

function formPage({ bank }: BankContext, form: URLSearchParams, fault: string | null): Answer {
  const input = (name: string, attributes: Html) =>
    html`<input name="${name}" required value="${form.get(name) ?? ''}" ${attributes}>`
  const field = (name: string, label: string, attributes: Html, hint?: string) =>
    html`<label>${label}${input(name, attributes)}${hint && html`<small>${hint}</small>`}</label>`
  const options = lendersAt(bank).map(
    ({ holder, name }) =>
      html`<option value="${holder}"${holder === form.get('account') && html` selected`}>${name}</option>`,
  )
  return frame(
    html`<p>This stands in for your own bank’s app. The lender finds the loan by its number in the remarks.</p>
${notice(fault)}
<form method="POST">
<label>Lender<select name="account">${options}</select></label>
<label>Amount<span class="prefixed">${input('amount', html`inputmode="decimal" maxlength="20" autocomplete="off"`)}</span></label>
${field('remark', 'Remarks', html`maxlength="140" autocomplete="off"`, 'The loan number: 18 digits, on the page of the loan.')}
${field('payer', 'Your name', html`maxlength="140" autocomplete="name"`)}
<button class="primary">Pay</button>
</form>`,
    fault === null ? 200 : 422,
  )
}

const paidPage = ({ amount, transaction_reference, remark }: BankCredit): Answer =>
  frame(html`<p>Paid. The lender learns of it when it next reads its account, usually within a few seconds.</p>
${facts([
  ['Amount', `₹${amount}`],
  ['Reference (UTR)', transaction_reference],
  ['Remarks', remark ?? ''],
])}
<p><a href="${path}">Pay again</a></p>`)

export const paymentPageRoutes = [showForm, pay]
