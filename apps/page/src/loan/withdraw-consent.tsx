// Withdrawal of the consent to share the application: a button below the screens. The confirmation is loaded on demand.

import type { ComponentChildren } from 'preact'
import { Button } from '../form/form.tsx'
import { consents } from '../help/help-link.tsx'
import { Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'
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
      {isAsking && <Fetched chunk={consents} render={() => page.withdrawal && <page.withdrawal />} />}
    </>
  )
}
