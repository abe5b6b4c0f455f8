// Lenders that want to see the bank account, or the folios, first: why, the way to the account aggregator, and what became of it.
import { useSignal } from '@preact/signals'
import type { EmbedConsent } from '#contract/hosted/embed-aa.ts'
import { Button } from './form.tsx'
import { here } from './here.ts'
import { openPage } from './open-page.ts'
import { t } from './text.ts'

export function Consents() {
  const { accountAggregator } = here.session.view.value!
  if (accountAggregator.length === 0) return null
  return (
    <ul class="cards">
      {accountAggregator.map((consent) => (
        <Consent key={consent.offerId} consent={consent} />
      ))}
    </ul>
  )
}

function Consent({ consent }: { consent: EmbedConsent }) {
  return (
    <li class="card">
      <h2>{t('aa.title', { lender: consent.lenderName })}</h2>
      <ConsentWay consent={consent} />
    </li>
  )
}

/** Why a lender asks, and the way to the account aggregator. */
export function ConsentWay({
  consent: { offerId, lenderName: lender, purpose, standing, problem },
}: {
  consent: EmbedConsent
}) {
  const { journeyType, offers } = here.session.view.value!
  const isFunds = purpose === 'UNDERWRITING' && journeyType === 'LAMF_LOAN'
  const isSecond = purpose === 'UNDERWRITING' && offers.some(({ lenderName }) => lenderName === lender)
  const blocked = useSignal<string | null>(null)
  async function go(): Promise<void> {
    blocked.value = await openPage(`/aa/${offerId}/redirect`, t('aa.go'), () => {})
  }
  return (
    <>
      <p role="status">
        {standing === 'CHECKING'
          ? t('aa.checking')
          : (problem ?? t(isSecond ? 'aa.second' : isFunds ? 'aa.funds' : `aa.${purpose}`, { lender }))}
      </p>
      {blocked.value && (
        <p class="notice">
          {t('step.blocked')}{' '}
          <a href={blocked.value} target="_blank" rel="noopener noreferrer">
            {t('aa.go')}
          </a>
        </p>
      )}
      {standing === 'DUE' && <Button onClick={() => void go()}>{t('aa.go')}</Button>}
    </>
  )
}
