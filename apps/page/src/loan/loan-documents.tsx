// The loan's documents, and the numbers that the borrower quotes to lender and bank.

import { ExternalLink } from '../offers/lender.tsx'
import { keyFactsOf } from '../offers/offer-terms.tsx'
import { rupees } from '../page/format.ts'
import { type BranchStep, page } from '../page/page-state.ts'
import { language, t } from '../text.ts'
import { Copy } from './copy-buttons.tsx'
import { useShort } from './repayment-plan.tsx'

export function LoanDocuments({ selected: { terms } }: BranchStep) {
  const { documents, papers, screen, leave } = page.view.value
  const isClosed = screen === 'CLOSED'
  const agreement = terms.creditLine ? t('line.agreement') : t('loan.paper.LOAN_AGREEMENT')
  // A lender that states no cooling-off period may have other rules for cancelling.
  const isCancellable = !isClosed && (leave !== null || !terms.coolOffPeriod)
  const all: [name: string, url: string][] = [
    [keyFactsOf(terms), terms.keyFactsStatementUrl],
    ...documents
      .filter(({ code }) => isCancellable || code !== 'LOAN_CANCELLATION')
      .map(({ code, name, url }): [string, string] => [
        code === 'LOAN_AGREEMENT' ? agreement : code ? t(`loan.paper.${code}`) : name,
        url,
      ]),
    ...papers
      .filter(({ name }) => !(isClosed && name === 'schedule'))
      .map(({ name, url }): [string, string] => [t(`loan.paper.${name}`), `${url}?lang=${language.value}`]),
    [t('terms.conditions'), terms.termsUrl],
  ]
  const [shown, button] = useShort(all.filter(([, url]) => url !== ''))
  return (
    <div>
      <h2>{t('disbursed.documents')}</h2>
      <ul class="papers">
        {shown.map(([name, url]) => (
          <li key={url}>
            <ExternalLink href={url}>{name}</ExternalLink>
          </li>
        ))}
      </ul>
      {button}
    </div>
  )
}

/** A longer number is shortened, and can be copied. */
const maxShownLength = 20

const LoanNumber = ({ label, number }: { label: string; number: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {number.length > maxShownLength ? (
        <span title={number}>{`${number.slice(0, 6)}…${number.slice(-6)}`}</span>
      ) : (
        <span>{number}</span>
      )}
      <Copy text={number} />
    </dd>
  </div>
)

export function LoanNumbers() {
  const { selected, creditLine, loanNumber, payoutReference, justPaidOut } = page.view.value
  return (
    <div>
      <h2>{t(creditLine ? 'line.details' : 'loan.details')}</h2>
      <dl class="numbers">
        {selected && (
          <div>
            <dt>{t('loan.lender')}</dt>
            <dd>{selected.lenderName}</dd>
          </div>
        )}
        {selected && !creditLine && !justPaidOut && (
          <div>
            <dt>{t('disbursed.amount')}</dt>
            <dd>{rupees(selected.terms.netDisbursed)}</dd>
          </div>
        )}
        {loanNumber && <LoanNumber label={t(creditLine ? 'line.number' : 'loan.number')} number={loanNumber} />}
        {payoutReference && <LoanNumber label={t('loan.utr')} number={payoutReference} />}
      </dl>
    </div>
  )
}
