// A loan's papers by name: the key facts, the agreement, the sanction, statements.

import { Away } from '../offers/lender.tsx'
import { keyFactsOf } from '../offers/terms.tsx'
import { here } from '../page/here.ts'
import { language, t } from '../text.ts'

export function LoanDocuments() {
  const { selected, documents, papers } = here.view.value
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
                <Away href={url}>{name}</Away>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}
