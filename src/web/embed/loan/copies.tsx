// Buttons that copy what the borrower enters in another app.

import { useSignal } from '@preact/signals'
import { Button } from '../form/form.tsx'
import { t } from '../text.ts'

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

export function Copies({ texts }: { texts: string[] }) {
  const copied = useSignal('')
  return (
    <div class="turns">
      {texts.map((text) => (
        <Button
          key={text}
          kind="quiet"
          onClick={() => {
            copied.value = copy(text) ? text : ''
          }}
        >
          {copied.value === text ? `✓ ${t('copy.done', { text })}` : t('copy.do', { text })}
        </Button>
      ))}
      <span class="sr" role="status">
        {copied.value && t('copy.done', { text: copied.value })}
      </span>
    </div>
  )
}
