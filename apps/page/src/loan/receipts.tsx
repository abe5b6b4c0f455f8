// The borrower's payments: what was paid, when, with which outcome, and the receipt.

import { ExternalLink } from '../offers/lender.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { language, t, textOf } from '../text.ts'
import { paymentName } from './payment-requests.tsx'
import { ShortTable } from './repayment-plan.tsx'

export function Receipts() {
  const { receipts, installments } = page.view.value
  if (receipts.length === 0) return null
  return (
    <ShortTable
      caption={t('receipts.title')}
      head={[t('receipts.what'), t('disbursed.pay')]}
      rows={receipts.map(({ id, kind, serialNumber, amount, paidOn, status, reference, problem, url }) => (
        <tr key={id}>
          <td>
            {serialNumber
              ? t('receipts.emi', { number: serialNumber })
              : kind === 'INSTALLMENT'
                ? t('receipts.what')
                : paymentName(kind, status === 'PAID')}
            {[
              [paidOn && day(paidOn), textOf(`receipts.${status}`)].filter(Boolean).join(' · '),
              reference,
              translate(problem),
              status === 'FAILED' &&
                installments.some(
                  (each) => each.serialNumber === serialNumber && Number(each.amount) < Number(amount),
                ) &&
                t('receipts.charges'),
            ].map(
              (line) =>
                line && (
                  <small key={line} class="per-month">
                    {line}
                  </small>
                ),
            )}
            {url && <ExternalLink href={`${url}?lang=${language.value}`}>{t('receipts.open')}</ExternalLink>}
          </td>
          <td>{rupees(amount)}</td>
        </tr>
      ))}
    />
  )
}
