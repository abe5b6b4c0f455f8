// Link for a window that the browser blocked.
import type { ComponentChildren } from 'preact'
import { t } from '../text.ts'

export const BlockedNotice = ({ url, children }: { url: string | null; children: ComponentChildren }) =>
  url && (
    <p class="notice">
      {t('step.blocked')}{' '}
      <a href={url} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    </p>
  )
