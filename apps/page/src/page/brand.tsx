// The page's heading: the app's name, with ours beside it. The app's logo comes from the style sheet.

import { t } from '../text.ts'
import { page } from './page-state.ts'

export function Brand() {
  const { brand } = page.boot
  return (
    <p class="brand">
      <b>{`${brand ?? 'Lendloom'} `}</b>
      {brand && <span>{t('page.powered')}</span>}
    </p>
  )
}
