// The one page of a lender with stops: identity, account, autopay, agreement and acceptance, in this order (FIS12 §26.2).

import { html } from '@lendloom/http/markup'
import { inr } from '@lendloom/lending/money'
import { facts } from '#sandbox/core/page-frame.ts'
import type { BorrowerPage } from '#sandbox/lender/core/borrower-page.ts'
import { lastAmountOf } from '#sandbox/lender/core/lending-decision.ts'
import {
  accountFields,
  commonTerms,
  identityPart,
  mandateLimit,
  otpFault,
  otpField,
  papers,
} from '#sandbox/lender/pages/borrower-pages.ts'

export const onePage: BorrowerPage = {
  heading: 'SINGLE_REDIRECTION',
  title: 'Take your loan',
  body: ({ policy, loan }) =>
    html`<p>On this page you confirm who you are, give your account, allow the repayments and accept the loan of ${inr(loan.principal)}. ${policy.legalName} then pays it out. There are no further steps.</p>`,
  fields: (view) => {
    const { policy, applicant, loan } = view
    return html`${identityPart(view)}
<h2>2. Your account</h2>
<p>The loan is paid into this account, and the instalments are debited from it. The sandbox has filled it in.</p>
${accountFields(applicant.name)}
<h2>3. Autopay</h2>
<p>You allow ${policy.legalName} to debit the instalments of your loan. You can cancel autopay at your bank.</p>
${facts([
  ['Debited', 'once a month, on the due date'],
  ['First debit', 'one month after you accept'],
  ['Instalment', inr(loan.instalment)],
  ['At most, each time', `${inr(mandateLimit(loan))}, with room for the charge of a returned debit`],
  ['Instalments', String(loan.months)],
])}
<h2>4. The agreement</h2>
<p>Please read before you accept:</p>
${papers(view, 'Loan agreement (PDF)')}
${facts([
  ['Lender', policy.legalName],
  ['Loan amount', inr(loan.principal)],
  ['You receive', inr(loan.netDisbursed)],
  ['Instalments', `${loan.months} monthly, ${inr(loan.instalment)} each, the last ${inr(lastAmountOf(loan))}`],
  ['Total interest', inr(loan.interest)],
  ...commonTerms(view),
])}
<h2>5. Accept</h2>
${otpField}
<p class="hint">By accepting you sign the agreement and confirm that you have read the key facts statement. The sandbox plays DigiLocker, the bank and the signature.</p>`
  },
  asksAccount: true,
  approve: 'Accept the loan',
  decline: 'Decline',
  done: 'Your loan is paid out',
  again: 'This step failed this time. Please try again.',
  fault: otpFault,
}
