// A modal dialog. The browser traps and restores the focus, and closes the dialog on Escape.
import { Icon } from '@lendloom/design/icon'
import { cross } from '@lendloom/design/icons'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: string
  onClose(): void
  children: ComponentChildren
  wide?: boolean
}) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class={wide ? 'wide' : ''} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet-button" aria-label="Close" onClick={() => element.current?.close()}>
          <Icon path={cross} />
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** Asks the user to confirm an action; `button` names the action. */
export function Confirm({
  title,
  button,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  button: string
  onConfirm(): void
  onClose(): void
  children: ComponentChildren
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="acts">
        <button type="button" class="secondary" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={onConfirm}>
          {button}
        </button>
      </div>
    </Dialog>
  )
}
