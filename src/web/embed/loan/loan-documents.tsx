// What the borrower quotes to lender and bank, and links to the loan's documents.

import { Fragment } from 'preact'
import { ExternalLink } from '../offers/lender.tsx'
import { keyFactsOf } from '../offers/terms.tsx'
import { page } from '../page/page.ts'
import { language, t } from '../text.ts'

export function LoanDocuments() {
  const { selected, documents, papers } = page.view.value
  if (!selected) return null
  const { terms } = selected
  const all: [name: string, url: string][] = [
    [keyFactsOf(terms), terms.keyFactsStatementUrl],
    ...documents.map(({ code, name, url }): [string, string] => [code ? t(`loan.paper.${code}`) : name, url]),
    ...papers.map(({ name, url }): [string, string] => [t(`loan.paper.${name}`), `${url}?lang=${language.value}`]),
    [t('terms.conditions'), terms.termsUrl],
  ]
  return (
    <div>
      <h2>{t('disbursed.documents')}</h2>
      <ul class="papers">
        {all.map(
          ([name, url]) =>
            url !== '' && (
              <li key={url}>
                <ExternalLink href={url}>{name}</ExternalLink>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}

export function LoanNumbers() {
  const { selected, loanNumber, payoutReference } = page.view.value
  const rows = [
    [t('loan.lender'), selected?.lenderName],
    [t('loan.number'), loanNumber],
    [t('loan.utr'), payoutReference],
  ]
  return (
    <dl class="rows">
      {rows.map(
        ([label, value]) =>
          value && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
