// Withdrawal of the consent to share the application: a button below the screens, and a confirmation.

import type { ComponentChildren } from 'preact'
import { Actions, Button } from '../form/form.tsx'
import { page } from '../page/page.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'

/** The screen stays mounted behind the confirmation. */
export function Withdrawable({ children }: { children: ComponentChildren }) {
  const isPossible = page.view.value.mayWithdraw
  const isAsking = isPossible && page.inner.value === 'withdraw'
  return (
    <>
      <div hidden={isAsking}>{children}</div>
      {isPossible && !isAsking && page.inner.value === '' && (
        <p key={page.titles.value} class="actions withdraw">
          <Button kind="quiet" onClick={page.opener('withdraw')}>
            {t('withdraw.open')}
          </Button>
        </p>
      )}
      {isAsking && (
        <section>
          <Title lead={t('withdraw.why')}>{t('withdraw.title')}</Title>
          <Actions>
            <Button onClick={() => void page.session.act({ method: 'POST', path: '/consents/withdraw', body: {} })}>
              {t('withdraw.yes')}
            </Button>
            <Button kind="plain" onClick={page.opener('')}>
              {t('withdraw.no')}
            </Button>
          </Actions>
        </section>
      )}
    </>
  )
}
