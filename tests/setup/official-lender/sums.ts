// The arithmetic of the strict lender's loans: equal instalments on a reducing balance, in whole paise.

export interface Loan {
  principal: bigint
  months: number
  instalment: bigint
  interest: bigint
  /** Deducted from the disbursal. */
  fees: { processing: bigint; other: bigint }
  /** Total that the borrower pays. */
  total: bigint
  net: bigint
  rows: { amount: bigint; principal: bigint; interest: bigint }[]
}

const scale = 10n ** 24n
const rounded = (value: bigint, by: bigint): bigint => (value + by / 2n) / by

const usualFees: Loan['fees'] = { processing: 2360_00n, other: 500_00n }

/** Computes a loan in paise, at 14 percent a year. */
export function loanOf(principal: bigint, months: number, fees = usualFees): Loan {
  const rate = 14n
  const monthly = (rate * scale) / 1200n
  let growth = scale
  for (let i = 0; i < months; i++) growth = (growth * (scale + monthly)) / scale
  const instalment = rounded((principal * monthly * growth) / scale, growth - scale)
  const rows: Loan['rows'] = []
  let owed = principal
  for (let i = 0; i < months; i++) {
    const interest = rounded(owed * monthly, scale)
    const paidBack = i === months - 1 ? owed : instalment - interest
    rows.push({ amount: paidBack + interest, principal: paidBack, interest })
    owed -= paidBack
  }
  const interest = rows.reduce((all, row) => all + row.interest, 0n)
  return {
    principal,
    months,
    instalment,
    interest,
    fees,
    rows,
    total: principal + interest + fees.processing + fees.other,
    net: principal - fees.processing - fees.other,
  }
}

export const rupees = (paise: bigint): string => `${paise / 100n}.${String(paise % 100n).padStart(2, '0')}`
export function paise(text: string): bigint {
  const [whole = '0', cents = ''] = text.split('.')
  return BigInt(whole + `${cents}00`.slice(0, 2))
}
