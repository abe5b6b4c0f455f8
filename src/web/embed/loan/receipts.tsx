// The borrower's payments: what was paid, when, with which outcome, and the receipt.

import { ExternalLink } from '../offers/lender.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { language, t, textOf } from '../text.ts'
import { ShortTable } from './plan.tsx'

export function Receipts() {
  const { receipts } = page.view.value
  if (receipts.length === 0) return null
  return (
    <ShortTable
      caption={t('receipts.title')}
      head={[t('receipts.what'), t('receipts.when'), t('disbursed.pay')]}
      rows={receipts.map(({ id, kind, serialNumber, amount, paidOn, status, reference, url }) => (
        <tr key={id}>
          <td>
            {serialNumber
              ? t('receipts.emi', { number: serialNumber })
              : kind === 'INSTALLMENT'
                ? t('receipts.what')
                : textOf(`loan.${kind}`)}
            {url && (
              <div>
                <ExternalLink href={`${url}?lang=${language.value}`}>{t('receipts.open')}</ExternalLink>
              </div>
            )}
          </td>
          <td>
            {paidOn && day(paidOn)} <small>{textOf(`receipts.${status}`)}</small>
            {reference && (
              <div>
                <small>{reference}</small>
              </div>
            )}
          </td>
          <td>{rupees(amount)}</td>
        </tr>
      ))}
    />
  )
}
