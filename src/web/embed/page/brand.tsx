// The page's heading: the name of a themed app, with ours beside it. The app's logo comes from the style sheet.

import { t } from '../text.ts'
import { page } from './page.ts'

export function Brand() {
  const { brand } = page.boot
  const host = page.session.view.value?.hostName
  return (
    <p class="brand">
      <b>{brand ?? 'Lendloom'}</b>
      {brand ? <span>{t('page.powered')}</span> : host && <span> {t('page.through', { host })}</span>}
    </p>
  )
}
