// The page's shared state, set once at the start: components and later screens read it here.
import type { Signal } from '@preact/signals'
import type { ComponentType, FunctionComponent } from 'preact'
import type { EmbedBranch, EmbedOffer, EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { EmbedPledge } from '#contract/hosted/embed-lender.ts'
import type { AmountFieldProps } from '../form/amount-field.tsx'
import type { FieldProps } from '../form/field.tsx'
import type { OfferPrice, RequestedTerms } from '../offers/compare.ts'
import type { TextFile } from '../text.ts'
import type { Boot } from './boot.ts'
import type { Host } from './bridge.ts'
import type { Memory } from './memory.ts'
import type { PageSession } from './session.ts'
import type { Wrong } from './wrong.ts'

/** The units that the borrower entered, fund by fund. */
export interface PledgeEntries {
  texts: readonly string[]
  /** Fields that are invalid, or exceed the request. */
  wrong: Wrong
  pledges: { schemeCode: string; units: string }[]
  /** The most that is lent on them, in whole rupees; null while something is wrong. */
  rupees: string | null
}

export interface NeededProps {
  offer: EmbedOffer
  /** In whole rupees; null for an amount outside this offer. */
  amount: number | null
  /** Null while the units follow the amount. */
  entered: PledgeEntries | null
  wrong: Wrong
  onEnter(entered: PledgeEntries | null): void
}

/** The panel of amount and time, above the offers or for one of them. */
export interface WantedProps {
  offers: EmbedOffer[]
  wanted: RequestedTerms
  /** The last input until the slider is moved: an amount, or an invalid text. */
  typed: Signal<string | null>
  /** The known fault of the amount. */
  wrong?: string | undefined
  /** While it changes, as by a slider that is held: figures follow, and nothing changes its place. */
  onChange(wanted: RequestedTerms): void
  /** It is chosen. */
  onDone(): void
}

export interface ChooseProps {
  offer: EmbedOffer
  /** The terms of the comparison, within this offer's limits. */
  wanted: RequestedTerms
  /** The text for an amount outside this offer. */
  wrongAmount: string
  price(wanted: RequestedTerms): OfferPrice
  Panel: FunctionComponent<WantedProps>
  Figures: FunctionComponent<{ priced: OfferPrice }>
  back(): void
}

export interface PledgedProps {
  pledges: EmbedPledge[]
  /** Whether they are already pledged, which the text then explains. */
  after?: boolean
}

/** The security of a loan against mutual funds: of an offer, for an amount, and after the choice. */
export interface Funds {
  Secured: FunctionComponent<{ offer: EmbedOffer }>
  Needed: FunctionComponent<NeededProps>
  Pledged: FunctionComponent<PledgedProps>
  /** Before the lenders are asked: the holdings, and fetching a statement. */
  Statement: FunctionComponent
}

export type BranchesProps = Pick<FieldProps, 'value' | 'wrong' | 'onValue'> & { branches: EmbedBranch[] }

export interface BranchStep {
  selected: NonNullable<EmbedView['selected']>
}

/**
 * The gold loan's parts: pieces in the profile, value and branches at the choice of an amount, the branch, and the gold
 * there.
 */
interface Gold {
  PieceByPiece: FunctionComponent
  Value: FunctionComponent<{ offer: EmbedOffer }>
  BranchField: FunctionComponent<BranchesProps>
  Where: FunctionComponent<BranchStep>
  Kept: FunctionComponent<BranchStep>
}

export interface EmbedPage {
  /** Brought along by the first of the later screens, for all that follow it. */
  AmountField: FunctionComponent<AmountFieldProps>
  session: PageSession
  /** The session's view, for the later screens: they are drawn only once there is one. */
  view: Signal<EmbedView>
  host: Host
  memory: Memory
  boot: Boot
  /** Opens a blank window within the tap, before its address is known; null when the browser refuses. */
  openWindow(): Window | null
  /** A layer above a screen, such as the choice of an amount; empty without one. */
  inner: Signal<string>
  /** Loaded screens, of those that are loaded at their stage. */
  fetched?: Partial<Record<Screen, ComponentType>>
  /** Loaded text files in the page's language. */
  spoken: Set<TextFile>
  /** The offer that is chosen, to be confirmed, once its chunk has run. */
  choose?: FunctionComponent<ChooseProps>
  /** Once its chunk has run. */
  funds?: Funds
  /** Once its chunk has run. */
  gold?: Gold
  /** Complaints about the loan, once their chunk has run. */
  complaints?: FunctionComponent<{ lender: string }>
  /** Written requests to the lender, once their chunk is loaded. */
  requests?: FunctionComponent
  /** The subject for which help was opened: a complaint category, or none; null while it is closed. */
  helpAbout: Signal<string | null>
  /** The consents given, once their chunk has run. */
  given?: FunctionComponent<{ close(): void }>
  /** Help and complaints of any kind, once their chunk has run. */
  help?: FunctionComponent<{ close(): void }>
}

export const here = {} as EmbedPage
