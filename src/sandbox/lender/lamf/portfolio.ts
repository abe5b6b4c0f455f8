// Mutual-fund units as security: how many of them are free, what a lender lends on them, and how many an amount needs.
import type { Paise } from '#kit/money.ts'

export const kinds = ['equity', 'debt', 'hybrid', 'elss'] as const
export type Kind = (typeof kinds)[number]
export const registrars = ['CAMS', 'KFIN'] as const
export type Registrar = (typeof registrars)[number]

/** Units of one scheme in one folio. Units are thousandths of a unit, the NAV ten-thousandths of a rupee. */
export interface Holding {
  isin: string | null
  schemeCode: string
  schemeName: string
  folio: string
  registrar: Registrar
  /** The asset management company. */
  amc: string
  amcName: string
  kind: Kind
  /** The last day of the lock-in, `YYYY-MM-DD`; null when there is none, or when the statement does not tell it. */
  lockedUntil: string | null
  units: bigint
  /** Of them under somebody's lien, and locked for another reason. */
  lienUnits: bigint
  lockedUnits: bigint
  nav: bigint
}

/** What a lender lends of the value, in hundredths of a percent. */
export type LoanToValue = Record<Kind, bigint>

/** Market practice of lenders other than banks; a mixed fund counts as equity. */
export const usualLoanToValue: LoanToValue = { equity: 5_000n, hybrid: 5_000n, elss: 5_000n, debt: 8_000n }

/** Units of a holding that secure something, and at what loan to value. */
export interface Pledged {
  holding: Holding
  units: bigint
  ltvBps: bigint
}

/** What may be pledged on the day `on`: nothing that is under a lien, locked, or within a lock-in whose end is not known. */
export function eligibleUnits({ units, lienUnits, lockedUnits, kind, lockedUntil }: Holding, on: string): bigint {
  const isLockedIn = lockedUntil === null ? kind === 'elss' : lockedUntil >= on
  const free = units - lienUnits - lockedUnits
  return isLockedIn || free < 0n ? 0n : free
}

/** Everything that a lender takes of a portfolio, in its order. */
export const eligible = (holdings: readonly Holding[], ltv: LoanToValue, on: string): Pledged[] =>
  holdings
    .map((holding) => ({ holding, units: eligibleUnits(holding, on), ltvBps: ltv[holding.kind] }))
    .filter(({ units, holding, ltvBps }) => units > 0n && holding.nav > 0n && ltvBps > 0n)

/** Thousandths of a unit × ten-thousandths of a rupee × hundredths of a percent, in one rupee. */
const perRupee = 10n ** 11n

const carried = ({ holding, units, ltvBps }: Pledged): bigint => units * holding.nav * ltvBps

/** The most that may be lent on these units, in whole rupees: rounded down once, over all of them. */
export const drawingPower = (pledged: readonly Pledged[]): Paise =>
  (pledged.reduce((all, each) => all + carried(each), 0n) / perRupee) * 100n

/** What the units are worth, rounded down to the paisa. */
export const worthOf = (pledged: readonly Pledged[]): Paise =>
  pledged.reduce((all, { holding, units }) => all + units * holding.nav, 0n) / 100_000n

/**
 * The units that an amount needs: of every scheme the same share, rounded up to a thousandth of a unit, so that they
 * carry it and no scheme is singled out. Null when all of them do not.
 */
export function unitsFor(amount: Paise, available: readonly Pledged[]): Pledged[] | null {
  const whole = available.reduce((all, each) => all + carried(each), 0n)
  const wanted = (amount * perRupee) / 100n
  if (amount <= 0n || wanted > whole) return null
  return available.map((each) => ({ ...each, units: (each.units * wanted + whole - 1n) / whole }))
}

/** `312.45` is `312450n`, with at most this many decimals; null when it is no such number. */
export function decimalOf(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''))
  if (!match) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  return fraction.length > decimals ? null : BigInt(match[1]! + fraction.padEnd(decimals, '0'))
}

export const unitsFrom = (text: string): bigint | null => decimalOf(text, 3)
export const navFrom = (text: string): bigint | null => decimalOf(text, 4)

/** `312450n` is `312.450`. */
export const unitsText = (units: bigint): string => `${units / 1000n}.${(units % 1000n).toString().padStart(3, '0')}`
export const navText = (nav: bigint): string => `${nav / 10_000n}.${(nav % 10_000n).toString().padStart(4, '0')}`
