// The page's owner: the themed application's name with ours beside it; its logo is in the style.

import { t } from '../text.ts'
import { here } from './here.ts'

export function Brand() {
  const { brand } = here.boot
  const host = here.session.view.value?.hostName
  return (
    <p class="brand">
      <b>{brand ?? 'Lendloom'}</b>
      {brand ? <span>{t('page.powered')}</span> : host && <span> {t('page.through', { host })}</span>}
    </p>
  )
}
