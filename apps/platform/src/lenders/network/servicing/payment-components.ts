// The components of a payment that a lender requests (FIS12 §18.2).

import type { Paise } from '@lendloom/lending/money'
import type { Breakup } from '@lendloom/wire/network/v203/payments'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'

interface Figures {
  outstanding: NetworkOrder['outstanding']
  installments: Installment[]
  /** The parts that the payment itself states (FIS12 §27.4). */
  breakup?: Breakup | undefined
}

/** Returns nulls unless the quoted figures add up to the amount exactly, because lenders' quotes also have past charges. */
export function componentsOf(
  { kind, requestedPaise }: Pick<ServicingRow, 'kind' | 'requestedPaise'>,
  amount: Paise,
  { outstanding, installments, breakup }: Figures,
): Pick<ServicingRow, 'interestPaise' | 'chargesPaise'> {
  const unknown = { interestPaise: null, chargesPaise: null }
  if (breakup && Object.keys(breakup).length > 0) return statedParts(kind, breakup, amount) ?? unknown
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

/** The interest of a missed instalment is a part of the instalment. */
function statedParts(
  kind: ServicingRow['kind'],
  { PRINCIPAL_AMOUNT = 0n, INTEREST_AMOUNT: interest = 0n, ...charges }: Breakup,
  amount: Paise,
): Pick<ServicingRow, 'interestPaise' | 'chargesPaise'> | null {
  const parts = Object.values(charges)
  const charge = parts.reduce((sum, part) => sum + part, 0n)
  const isExplained = PRINCIPAL_AMOUNT + interest + charge === amount
  const isPositive = [PRINCIPAL_AMOUNT, interest, ...parts].every((part) => part >= 0n)
  return isExplained && isPositive
    ? { interestPaise: kind === 'MISSED_EMI_PAYMENT' ? 0n : interest, chargesPaise: charge }
    : null
}
