// The fund statement, before offers are requested: shows it, or fetches one from the registrar.

import type { EmbedFundStatement } from '@lendloom/wire/hosted/embed-funds'
import { useSignal } from '@preact/signals'
import { TextField } from '../form/field.tsx'
import { Button } from '../form/form.tsx'
import { BlockedNotice } from '../page/blocked-notice.tsx'
import { masked } from '../page/format.ts'
import { openPage } from '../page/open-page.ts'
import { page } from '../page/page-state.ts'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { Pledging, Portfolio } from './funds-held.tsx'

/** State of the fetch: another mobile number, its error, and the page's address if the browser blocked the window. */
function useStatementFetch() {
  const otherNumber = useSignal<string | null>(null)
  const isInvalid = useSignal(false)
  const blockedUrl = useSignal<string | null>(null)
  async function fetchStatement(): Promise<void> {
    const { registrar } = page.view.value.funds ?? {}
    const entered = otherNumber.value?.trim()
    blockedUrl.value = await openPage('/funds', t('statement.opening', { registrar: registrar ?? '' }), {
      body: entered ? { contactNumber: entered } : {},
      onFault(faults) {
        isInvalid.value = faults.some(({ path }) => path === 'contactNumber')
        if (isInvalid.value) otherNumber.value ??= page.view.value.profile.contactNumber.slice(-10)
      },
    })
  }
  return { otherNumber, isInvalid, blockedUrl, fetchStatement }
}

export function Statement() {
  const { funds } = page.view.value
  const fetching = useStatementFetch()
  const isFetchFormOpen = useSignal(false)
  if (!funds) return null
  const { registrar, standing } = funds
  const showsPortfolio = standing === 'READY' && !isFetchFormOpen.value
  return (
    <section class="card" aria-label={t('statement.title')}>
      {!showsPortfolio && <h2>{t('statement.title')}</h2>}
      {standing === 'PENDING' ? (
        <Pending registrar={registrar} refetch={() => void fetching.fetchStatement()} />
      ) : showsPortfolio ? (
        <>
          <Portfolio />
          <Pledging />
          <div class="actions">
            <Button
              kind="quiet"
              onClick={() => {
                isFetchFormOpen.value = true
              }}
            >
              {t('statement.newer')}
            </Button>
          </div>
        </>
      ) : (
        <FetchForm funds={funds} {...fetching} />
      )}
      <BlockedNotice url={fetching.blockedUrl.value}>{registrar}</BlockedNotice>
    </section>
  )
}

function Pending({ registrar, refetch }: { registrar: string; refetch(): void }) {
  const checkNow = () => void page.session.act({ method: 'POST', path: '/funds/look', body: {} })
  return (
    <>
      <Waiting>{t('statement.waiting', { registrar })}</Waiting>
      <div class="actions">
        <Button kind="plain" onClick={checkNow}>
          {t('statement.check')}
        </Button>
        <Button kind="quiet" onClick={refetch}>
          {t('statement.again', { registrar })}
        </Button>
      </div>
    </>
  )
}

type FetchFormProps = ReturnType<typeof useStatementFetch> & { funds: EmbedFundStatement }

function FetchForm({ funds: { registrar, fault }, otherNumber, isInvalid, fetchStatement }: FetchFormProps) {
  const { contactNumber } = page.view.value.profile
  return (
    <>
      {fault && (
        <p class="notice" role="alert">
          {t(`statement.${fault}`, { registrar })}
        </p>
      )}
      <p>{t('statement.why', { registrar })}</p>
      <p class="hint">{t('statement.how')}</p>
      {otherNumber.value === null ? (
        <p class="hint with-link">
          {t('statement.number', { mobile: masked(contactNumber) })}{' '}
          <Button
            kind="quiet"
            onClick={() => {
              otherNumber.value = ''
            }}
          >
            {t('statement.other')}
          </Button>
        </p>
      ) : (
        <TextField
          name="fundsNumber"
          value={otherNumber.value}
          error={isInvalid.value ? t('wrong.fundsNumber', { registrar }) : undefined}
          onValue={(value) => {
            otherNumber.value = value
            isInvalid.value = false
          }}
          inputMode="numeric"
          autocomplete="tel-national"
          maxLength={16}
        />
      )}
      <div class="actions">
        <Button onClick={() => void fetchStatement()}>{t('statement.fetch')}</Button>
      </div>
      <p class="hint">{t('statement.without')}</p>
    </>
  )
}
