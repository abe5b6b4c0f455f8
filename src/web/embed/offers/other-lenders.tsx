// Lenders without a displayed offer: pending, waiting for a consent, or without one.
import { useRef } from 'preact/hooks'
import type { EmbedLender } from '#contract/hosted/embed.ts'
import type { EmbedConsent } from '#contract/hosted/embed-consents.ts'
import { Button } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { ConsentRoute } from '../steps/consents.tsx'
import { t } from '../text.ts'
import { LenderRow, Mark } from './lender.tsx'

/** How many lenders have yet to answer, and how many wait for the borrower's consent instead. */
export function pending() {
  const { lenders, accountAggregator } = here.view.value
  const due = accountAggregator
    .filter(({ standing: report }) => report === 'DUE' || report === 'HANDLE')
    .map(({ lenderId }) => lenderId)
  const open = lenders.filter(({ status }) => status === 'OFFER_AWAITED')
  const asking = open.filter(({ id }) => due.includes(id)).length
  return { awaited: open.length - asking, asking }
}

/** Opens the first lender that needs an act, and moves the focus there. */
function showAsking(): void {
  const row = document.querySelector('.asks button')?.closest('details')
  if (!row) return
  row.open = true
  row.querySelector('summary')?.focus()
}

/** New answers. Its space is reserved, so that nothing below moves. */
export function More({ more, show }: { more: number; show(): void }) {
  const { searching } = here.view.value
  const { awaited, asking } = pending()
  const isOpen = more > 0 || (awaited === 0 && asking > 0)
  return (
    <div class={more > 0 ? 'more fresh' : 'more'}>
      <p role="status">
        {more > 0
          ? t('offers.more', { count: more })
          : awaited > 0
            ? t('offers.awaited', { count: awaited })
            : asking > 0
              ? t('offers.asking', { count: asking })
              : !searching && t('offers.complete')}
      </p>
      {isOpen && (
        <Button kind="plain" onClick={more > 0 ? show : showAsking}>
          {t('offers.more.show')}
        </Button>
      )}
    </div>
  )
}

interface OthersProps {
  shown: readonly string[]
  heading?: 'offers.others' | 'offers.unmatched'
  /** Without reasons, which are of different length. */
  brief?: boolean
}

/**
 * Lenders without a displayed offer: each keeps its position, also when it requests a consent. After the search,
 * requests are listed before lenders without an offer.
 */
export function Others({ shown, heading, brief = false }: OthersProps) {
  const { lenders, accountAggregator, offers, searching } = here.view.value
  const order = useRef<string[]>([])
  // Opened during the search: reserve space for reasons.
  const isOpen = useRef(searching).current
  // Initial requests are open; later ones open on a tap.
  const first = useRef(accountAggregator.map(({ offerId }) => offerId)).current
  const consentOf = ({ id }: EmbedLender) => accountAggregator.find(({ lenderId }) => lenderId === id)
  const withOffer = offers.filter(({ id }) => shown.includes(id)).map(({ lenderId }) => lenderId)
  // A lender that has offered may ask for a consent to make another offer.
  const others = lenders.filter((lender) => !withOffer.includes(lender.id) || consentOf(lender))
  for (const { id } of others) if (!order.current.includes(id)) order.current.push(id)
  const place = (lender: EmbedLender) => order.current.indexOf(lender.id)
  others.sort((one, other) => place(one) - place(other))
  const asking = others.filter(consentOf)
  const isApart = !isOpen && heading === 'offers.unmatched' && asking.length > 0
  const rest = isApart ? others.filter((lender) => !asking.includes(lender)) : others
  // A list shown during the search is never split, so its heading must fit every lender.
  const title = asking.length > 0 && !isApart ? 'offers.others' : heading
  const rows = (listed: EmbedLender[]) => (
    <ul class={brief ? 'answers asked' : isOpen ? 'answers open' : 'answers'}>
      {listed.map((lender) => {
        const consent = consentOf(lender)
        return consent ? (
          <Asking key={lender.id} lender={lender} consent={consent} open={first.includes(consent.offerId)} />
        ) : (
          <LenderRow key={lender.id} lender={lender} brief={brief} />
        )
      })}
    </ul>
  )
  return (
    <>
      {isApart && <h2>{t('offers.consent')}</h2>}
      {isApart && rows(asking)}
      {heading && title && rest.length > 0 && <h2>{t(title)}</h2>}
      {(brief || rest.length > 0) && rows(rest)}
    </>
  )
}

/** A lender that requires a consent first: as high as other rows until it is opened. */
function Asking({ lender, consent, open }: { lender: EmbedLender; consent: EmbedConsent; open: boolean }) {
  return (
    <li class="asks">
      <Mark name={lender.name} logoUrl={lender.logoUrl} />
      <details open={open}>
        <summary>{t(lender.status === 'OFFER_RECEIVED' ? 'aa.more' : 'aa.title', { lender: lender.name })}</summary>
        <ConsentRoute consent={consent} />
      </details>
    </li>
  )
}
