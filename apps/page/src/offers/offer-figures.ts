// Figures of an offer as texts. Until a lender prices the borrower's amount, its APR and fees are the least that it may
// charge, and the payout is the most that it may pay.
import { percent, rupees } from '../page/format.ts'
import { t } from '../text.ts'
import type { OfferPrice } from './compare-offers.ts'

export const fromFigure = (figure: string, isEstimate: boolean): string =>
  isEstimate ? t('terms.from', { figure }) : figure

export const aprOf = ({ apr, isEstimate }: OfferPrice): string =>
  apr === null ? '–' : fromFigure(percent(String(isEstimate ? Math.floor(apr * 10) / 10 : apr)), isEstimate)

export const feesOf = ({ fees, isEstimate }: OfferPrice): string => fromFigure(rupees(fees), isEstimate)

export const payoutOf = ({ payout, isEstimate }: OfferPrice): string =>
  isEstimate ? t('terms.upto', { figure: rupees(payout) }) : rupees(payout)
