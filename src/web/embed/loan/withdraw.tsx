// Withdrawing the consent to share the application: a control below the screens where it can be done, and a second thought.

import type { ComponentChildren } from 'preact'
import { Actions, Button } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'

/** The screen stays while the borrower decides. */
export function Withdrawable({ children }: { children: ComponentChildren }) {
  const { session } = here
  const ask = (on: boolean) => () => {
    session.trouble.value = null
    here.inner.value = on ? 'withdraw' : ''
  }
  const may = here.view.value.mayWithdraw
  const asking = may && here.inner.value === 'withdraw'
  return (
    <>
      <div hidden={asking}>{children}</div>
      {may && !asking && here.inner.value === '' && (
        <p class="withdraw">
          <Button kind="quiet" onClick={ask(true)}>
            {t('withdraw.open')}
          </Button>
        </p>
      )}
      {asking && (
        <section>
          <Title lead={t('withdraw.why')}>{t('withdraw.title')}</Title>
          <Actions>
            <Button onClick={() => void session.act({ method: 'POST', path: '/consents/withdraw', body: {} })}>
              {t('withdraw.yes')}
            </Button>
            <Button kind="plain" onClick={ask(false)}>
              {t('withdraw.no')}
            </Button>
          </Actions>
        </section>
      )}
    </>
  )
}
