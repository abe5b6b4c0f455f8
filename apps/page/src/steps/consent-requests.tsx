// Consent requests of lenders that need bank or fund data: why, the link to the account aggregator, and the result.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedRequestedConsent } from '@lendloom/wire/hosted/embed-consents'
import { useSignal } from '@preact/signals'
import { TextField } from '../form/field.tsx'
import { Button, Form } from '../form/form.tsx'
import { BlockedNotice } from '../page/blocked-notice.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { openPage } from '../page/open-page.ts'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { t } from '../text.ts'

export function Consents() {
  const { accountAggregator } = page.view.value
  if (accountAggregator.length === 0) return null
  return (
    <ul class="cards">
      {accountAggregator.map((consent) => (
        <Consent key={consent.offerId} consent={consent} />
      ))}
    </ul>
  )
}

function Consent({ consent }: { consent: EmbedRequestedConsent }) {
  return (
    <li class="card">
      <h2>{t('aa.title', { lender: consent.lenderName })}</h2>
      <ConsentRoute consent={consent} />
    </li>
  )
}

/** Why the lender needs the data, and the link to the account aggregator. */
export function ConsentRoute({
  consent: { offerId, lenderName: lender, purpose, standing: report, handle, problem },
}: {
  consent: EmbedRequestedConsent
}) {
  const { journeyType, offers, screen } = page.view.value
  const needsFunds = purpose === 'UNDERWRITING' && contractOf(journeyType).pledgesFunds
  const hasOffer = purpose === 'UNDERWRITING' && offers.some(({ lenderName }) => lenderName === lender)
  const blockedUrl = useSignal<string | null>(null)
  async function openAggregator(): Promise<void> {
    blockedUrl.value = await openPage(`/aa/${offerId}/redirect`, t('aa.go'))
  }
  if (handle) return <HandleForm offerId={offerId} lender={lender} handle={handle} />
  return (
    <>
      <p role="status">
        {report === 'CHECKING'
          ? t('aa.checking')
          : (translate(problem) ?? t(hasOffer ? 'aa.second' : needsFunds ? 'aa.funds' : `aa.${purpose}`, { lender }))}
      </p>
      <BlockedNotice url={blockedUrl.value}>{t('aa.go')}</BlockedNotice>
      {report === 'DUE' && (
        <Button kind={screen === 'OFFERS' ? 'plain' : undefined} onClick={() => void openAggregator()}>
          {t('aa.go')}
        </Button>
      )}
    </>
  )
}

const handlePattern = /^[\w.-]{1,100}$/

/** For a handle that the lender did not find: requests another one at the same aggregator. */
function HandleForm({
  offerId,
  lender,
  handle,
}: {
  offerId: string
  lender: string
  handle: NonNullable<EmbedRequestedConsent['handle']>
}) {
  const value = useSignal('')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const showError = () => {
    errors.value = { aaID: '' }
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const name = value.value.trim().replace(`@${handle.at}`, '')
    const aaID = `${name}@${handle.at}`
    if (!handlePattern.test(name) || aaID === handle.refused) return showError()
    const refused = await page.session.act({ method: 'POST', path: `/aa/${offerId}/handle`, body: { aaID } })
    if (refused?.length) showError()
  }
  return (
    <>
      <p role="status">{t('aa.handle', { lender, handle: handle.refused })}</p>
      <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
        <TextField
          name="aaID"
          value={value.value}
          error={errorOf(errors.value, 'aaID')}
          onValue={(next: string) => {
            value.value = next
            errors.value = {}
          }}
          maxLength={200}
        />
        <Button submit>{t('aa.handle.send')}</Button>
      </Form>
    </>
  )
}
