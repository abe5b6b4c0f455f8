// The one page of a lender with stops: identity, account, autopay, pledge, agreement and acceptance, in this order (FIS12 §27.2).

import { html } from '@lendloom/http/markup'
import { inr } from '@lendloom/lending/money'
import { facts } from '#sandbox/core/page-frame.ts'
import type { BorrowerPage } from '#sandbox/lender/core/borrower-page.ts'
import {
  accountFields,
  commonTerms,
  identityPart,
  mandateLimit,
  otpFault,
  otpField,
  papers,
} from '#sandbox/lender/pages/borrower-pages.ts'
import { unitRows } from './pledge-pages.ts'

export const fundsPage: BorrowerPage = {
  heading: 'SINGLE_REDIRECTION',
  title: 'Pledge your funds and sign',
  body: ({ policy, loan, isLine }) =>
    html`<p>On this page you confirm who you are, give your account, allow the repayments, pledge your units to ${policy.legalName} and accept the ${isLine ? 'credit line' : 'loan'} of ${inr(loan.principal)}. There are no further steps.</p>`,
  fields: (view) => {
    const { policy, applicant, loan, isLine } = view
    return html`${identityPart(view)}
<h2>2. Your account</h2>
<p>${isLine ? 'What you draw is paid into this account, and what is due is debited from it.' : 'The loan is paid into this account, and the instalments are debited from it.'} The sandbox has filled it in.</p>
${accountFields(applicant.name)}
<h2>3. Autopay</h2>
<p>You allow ${policy.legalName} to debit what is due once a month, at most ${inr(mandateLimit(loan))} each time. You can cancel autopay at your bank.</p>
<h2>4. Pledged units</h2>
<p>The registrars mark a lien on these units. They stay yours and keep their returns, but cannot be redeemed or switched until the ${isLine ? 'line is repaid and closed' : 'loan is repaid'}.</p>
${facts(unitRows(view))}
<h2>5. The agreement</h2>
<p>Please read before you accept:</p>
${papers(view, isLine ? 'Credit line agreement (PDF)' : 'Loan agreement (PDF)')}
${facts([['Lender', policy.legalName], [isLine ? 'Limit' : 'Loan amount', inr(loan.principal)], ...commonTerms(view)])}
<h2>6. Accept</h2>
${otpField}
<p class="hint">By accepting you sign the agreement and confirm that you have read the key facts statement. The sandbox plays DigiLocker, the bank, the registrars and the signature.</p>`
  },
  asksAccount: true,
  approve: 'Pledge the units and accept',
  decline: 'Decline',
  done: 'Your units are pledged and the agreement is signed',
  again: 'This step failed this time. Please try again.',
  fault: otpFault,
}
