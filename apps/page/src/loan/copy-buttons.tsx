// Buttons that copy what the borrower enters in another app.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'
import { signal } from '@preact/signals'
import { Button } from '../form/form.tsx'
import { t } from '../text.ts'

const copied = signal('')

/** Works in a frame without a permission, unlike `navigator.clipboard`. Safari needs a selection. */
function copy(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  const selection = getSelection()
  selection?.selectAllChildren(document.body)
  addEventListener('copy', fill)
  const isCopied = document.execCommand('copy')
  removeEventListener('copy', fill)
  selection?.removeAllRanges()
  return isCopied
}

export function Copy({ text }: { text: string }) {
  const isCopied = copied.value === text
  return (
    <>
      <Button
        kind="quiet"
        onClick={() => {
          if (copy(text)) copied.value = text
        }}
      >
        {isCopied && <Icon path={check} />} {t(isCopied ? 'copy.done' : 'copy.do')} <span class="sr">{text}</span>
      </Button>
      <span class="sr" role="status">
        {isCopied && `${t('copy.done')} ${text}`}
      </span>
    </>
  )
}
