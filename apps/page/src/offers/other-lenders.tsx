// Lenders without a displayed offer: pending, waiting for the borrower's consent, or declined.

import type { EmbedRequestedConsent } from '@lendloom/wire/hosted/embed-consents'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import { useRef } from 'preact/hooks'
import { Button } from '../form/form.tsx'
import { page } from '../page/page-state.ts'
import { ConsentRoute } from '../steps/consent-requests.tsx'
import { t } from '../text.ts'
import { LenderLogo, LenderRow } from './lender.tsx'

/** Counts the lenders that have not answered, and those that wait for the borrower's consent. */
export function countPending() {
  const { lenders, accountAggregator } = page.view.value
  const consentDue = accountAggregator
    .filter(({ standing }) => standing === 'DUE' || standing === 'HANDLE')
    .map(({ lenderId }) => lenderId)
  const unanswered = lenders.filter(({ status }) => status === 'OFFER_AWAITED')
  const needingConsent = unanswered.filter(({ id }) => consentDue.includes(id)).length
  return { pending: unanswered.length - needingConsent, asking: needingConsent }
}

function openFirstRequest(): void {
  const row = document.querySelector('.asks button')?.closest('details')
  if (!row) return
  row.open = true
  row.querySelector('summary')?.focus()
}

/**
 * Progress of the search and new offers. If answers were pending on opening or since, its space stays reserved, so that
 * the layout does not shift.
 */
export function SearchProgress({ newCount, show }: { newCount: number; show(): void }) {
  const { searching } = page.view.value
  const { pending: pendingCount, asking: needingConsent } = countPending()
  const isReserved = useRef(false)
  isReserved.current ||= searching || newCount > 0 || pendingCount > 0
  if (!isReserved.current) return null
  const hasButton = newCount > 0 || (pendingCount === 0 && needingConsent > 0)
  return (
    <div class={newCount > 0 ? 'more fresh' : 'more'}>
      <p role="status">
        {newCount > 0
          ? t('offers.more', { count: newCount })
          : pendingCount > 0
            ? t('offers.awaited', { count: pendingCount })
            : needingConsent > 0
              ? t('offers.asking', { count: needingConsent })
              : !searching && t('offers.complete')}
      </p>
      {hasButton && (
        <Button kind="plain" onClick={newCount > 0 ? show : openFirstRequest}>
          {t('offers.more.show')}
        </Button>
      )}
    </div>
  )
}

interface OtherLendersProps {
  /** Ids of the displayed offers. */
  ids: readonly string[]
  heading?: 'offers.others' | 'offers.unmatched'
  /** Omits reasons, which have different lengths. */
  brief?: boolean
}

/**
 * Lenders without a displayed offer. A lender keeps its position when it requests a consent. In a list that is first
 * shown after the search, consent requests come before declined lenders.
 */
export function OtherLenders({ ids, heading, brief = false }: OtherLendersProps) {
  const { lenders, accountAggregator, offers, searching } = page.view.value
  const order = useRef<string[]>([])
  // Space for reasons is reserved in a list that was opened during the search.
  const isOpen = useRef(searching).current
  // Requests that exist on opening are expanded; the borrower expands later ones.
  const initialRequests = useRef(accountAggregator.map(({ offerId }) => offerId)).current
  const consentOf = ({ id }: EmbedLender) => accountAggregator.find(({ lenderId }) => lenderId === id)
  const lendersWithOffer = offers.filter(({ id }) => ids.includes(id)).map(({ lenderId }) => lenderId)
  // A lender with an offer may request a consent to make another offer.
  const listedLenders = lenders.filter((lender) => !lendersWithOffer.includes(lender.id) || consentOf(lender))
  for (const { id } of listedLenders) if (!order.current.includes(id)) order.current.push(id)
  const positionOf = (lender: EmbedLender) => order.current.indexOf(lender.id)
  listedLenders.sort((one, other) => positionOf(one) - positionOf(other))
  const needingConsent = listedLenders.filter(consentOf)
  const listsRequestsFirst = !isOpen && heading === 'offers.unmatched' && needingConsent.length > 0
  const otherRows = listsRequestsFirst
    ? listedLenders.filter((lender) => !needingConsent.includes(lender))
    : listedLenders
  const isAwaited = searching && (!lenders[0] || offers[0] || countPending().pending)
  const isNoneSoFar = lenders.every(({ status }) => status === 'NO_OFFER_AVAILABLE')
  // A list that was opened during the search is never split, so its heading must fit every lender.
  const title = needingConsent.length > 0 && !listsRequestsFirst ? 'offers.others' : heading
  const isReserved = brief && (isAwaited || isNoneSoFar)
  const reservedLook = lenders[0] && isNoneSoFar ? 'asked over' : 'asked'
  const look = isReserved ? reservedLook : isOpen && 'open'
  const rows = (group: EmbedLender[]) => (
    <ul class={look ? `answers ${look}` : 'answers'}>
      {group.map((lender) => {
        const consent = consentOf(lender)
        return consent ? (
          <ConsentRequestRow
            key={lender.id}
            lender={lender}
            consent={consent}
            open={initialRequests.includes(consent.offerId) || (brief && !isAwaited)}
          />
        ) : (
          <LenderRow key={lender.id} lender={lender} brief={brief} />
        )
      })}
    </ul>
  )
  return (
    <>
      {listsRequestsFirst && <h2>{t('offers.consent')}</h2>}
      {listsRequestsFirst && rows(needingConsent)}
      {heading && title && otherRows.length > 0 && <h2>{t(title)}</h2>}
      {(brief || otherRows.length > 0) && rows(otherRows)}
    </>
  )
}

/** A lender that requires a consent; the row is as high as the others until the borrower expands it. */
function ConsentRequestRow({
  lender,
  consent,
  open,
}: {
  lender: EmbedLender
  consent: EmbedRequestedConsent
  open: boolean
}) {
  return (
    <li class="asks">
      <LenderLogo name={lender.name} logoUrl={lender.logoUrl} />
      <details open={open}>
        <summary>{t(lender.status === 'OFFER_RECEIVED' ? 'aa.more' : 'aa.title', { lender: lender.name })}</summary>
        <ConsentRoute consent={consent} />
      </details>
    </li>
  )
}
