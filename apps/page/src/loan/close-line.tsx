// The question before a credit line is closed: what closing ends at once, and what happens to the pledged units.

import { Actions, Button } from '../form/form.tsx'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'
import { requestPayment } from './payment-requests.tsx'

async function close(): Promise<void> {
  const faults = await requestPayment('foreclosure')
  if (faults === null) page.inner.value = ''
}

export function CloseLine({ lender }: { lender: string }) {
  const used = page.view.value.creditLine?.used ?? '0'
  const isDrawn = Number(used) > 0
  return (
    <section>
      <Title lead={t('line.close.lead')}>{t('line.close.sure')}</Title>
      <dl class="rows">
        <dt>{t('loan.outstanding')}</dt>
        <dd>{rupees(used)}</dd>
        <dt>{t('line.close.next')}</dt>
        <dd>{t(isDrawn ? 'line.close.pay' : 'line.close.confirm', { lender })}</dd>
        <dt>{t('line.close.units')}</dt>
        <dd>{t('line.close.released', { lender })}</dd>
        <dt>{t('line.close.idle')}</dt>
        <dd>{t('line.close.lapses')}</dd>
      </dl>
      <Actions of={/\/foreclosure$/}>
        <Button onClick={() => void close()}>{t('line.close')}</Button>
        <Button kind="plain" onClick={page.opener('')}>
          {t('line.close.keep')}
        </Button>
      </Actions>
    </section>
  )
}
