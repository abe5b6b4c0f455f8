// The components of a payment that a lender requests (FIS12 §18.2).

import type { Paise } from '@lendloom/lending/money'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'

/** Returns nulls unless the quoted figures add up to the amount exactly, because lenders' quotes also have past charges. */
export function componentsOf(
  { kind, requestedPaise }: Pick<ServicingRow, 'kind' | 'requestedPaise'>,
  amount: Paise,
  { outstanding, installments }: { outstanding: NetworkOrder['outstanding']; installments: Installment[] },
): Pick<ServicingRow, 'interestPaise' | 'chargesPaise'> {
  const unknown = { interestPaise: null, chargesPaise: null }
  if (!outstanding || kind === 'STATUS_REFRESH') return unknown
  const { principal, interest, charges } = outstanding
  const charge = charges[kind] ?? 0n
  if (principal < 0n || interest < 0n || charge < 0n) return unknown
  if (kind === 'FORECLOSURE')
    return principal + interest + charge === amount ? { interestPaise: interest, chargesPaise: charge } : unknown
  const isExplained =
    kind === 'PRE_PART_PAYMENT'
      ? requestedPaise !== null && requestedPaise + charge === amount
      : installments.some((each) => BigInt(each.amount) + charge === amount)
  return isExplained ? { interestPaise: 0n, chargesPaise: charge } : unknown
}
