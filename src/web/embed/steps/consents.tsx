// Lenders that require bank or fund data first: why, the link to the account aggregator, and the result.

import { useSignal } from '@preact/signals'
import type { EmbedConsent } from '#contract/hosted/embed-consents.ts'
import { contractOf } from '#contract/product/products.ts'
import { TextField } from '../form/field.tsx'
import { Button, Form } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { openPage } from '../page/open-page.ts'
import { inLanguage } from '../page/words.ts'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t } from '../text.ts'

export function Consents() {
  const { accountAggregator } = here.view.value
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
      <ConsentRoute consent={consent} />
    </li>
  )
}

/** Why a lender asks, and the way to the account aggregator. */
export function ConsentRoute({
  consent: { offerId, lenderName: lender, purpose, standing: report, handle, problem },
}: {
  consent: EmbedConsent
}) {
  const { journeyType, offers } = here.view.value
  const isOfFunds = purpose === 'UNDERWRITING' && contractOf(journeyType).pledgesFunds
  const isSecond = purpose === 'UNDERWRITING' && offers.some(({ lenderName }) => lenderName === lender)
  const blocked = useSignal<string | null>(null)
  async function go(): Promise<void> {
    blocked.value = await openPage(`/aa/${offerId}/redirect`, t('aa.go'))
  }
  if (handle) return <Handle offerId={offerId} lender={lender} handle={handle} />
  return (
    <>
      <p role="status">
        {report === 'CHECKING'
          ? t('aa.checking')
          : (inLanguage(problem) ?? t(isSecond ? 'aa.second' : isOfFunds ? 'aa.funds' : `aa.${purpose}`, { lender }))}
      </p>
      {blocked.value && (
        <p class="notice">
          {t('step.blocked')}{' '}
          <a href={blocked.value} target="_blank" rel="noopener noreferrer">
            {t('aa.go')}
          </a>
        </p>
      )}
      {report === 'DUE' && <Button onClick={() => void go()}>{t('aa.go')}</Button>}
    </>
  )
}

const handlePattern = /^[\w.-]{1,100}$/

/** The lender does not know the borrower by this handle: asks for another one at the same aggregator. */
function Handle({
  offerId,
  lender,
  handle,
}: {
  offerId: string
  lender: string
  handle: NonNullable<EmbedConsent['handle']>
}) {
  const value = useSignal('')
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  const refuse = () => {
    wrong.value = { aaID: '' }
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const name = value.value.trim().replace(`@${handle.at}`, '')
    const aaID = `${name}@${handle.at}`
    if (!handlePattern.test(name) || aaID === handle.refused) return refuse()
    const refused = await here.session.act({ method: 'POST', path: `/aa/${offerId}/handle`, body: { aaID } })
    if (refused && refused.length > 0) refuse()
  }
  return (
    <>
      <p role="status">{t('aa.handle', { lender, handle: handle.refused })}</p>
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
        <TextField
          name="aaID"
          value={value.value}
          wrong={wordsFor(wrong.value, 'aaID')}
          onValue={(next: string) => {
            value.value = next
            wrong.value = {}
          }}
          maxLength={200}
        />
        <Button submit>{t('aa.handle.send')}</Button>
      </Form>
    </>
  )
}
