// The forms of "Help and complaints": a new complaint, and a message on an existing one, each with attachments.

import { Icon } from '@lendloom/design/icon'
import { cross } from '@lendloom/design/icons'
import {
  attachmentField,
  attachmentTypes,
  complaintFormCategories,
  isLendersMatter,
  maxAttachmentBytes,
} from '@lendloom/wire/console/complaint-lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button, TroubleNotice } from '../form/form.tsx'
import type { FieldFault } from '../page/api.ts'
import { page } from '../page/page-state.ts'
import { language, t, textOf } from '../text.ts'

/** Sends a borrower's action on complaints. Returns the field errors, or null when the platform accepted it. */
export type Post = (path: string, body: object, files?: readonly File[]) => Promise<FieldFault[] | null>

/** As many attachments as the platform takes. */
const maxFiles = 3

type SendMessage = (text: string, files: File[]) => Promise<FieldFault[] | null>

interface FormProps {
  label: string
  name: string
  /** Shown above the text. */
  children?: ComponentChildren
  /** Validates the fields above the text, which show their own errors. */
  check?(): boolean
  minLength?: number
  emptyError?: string
  button?: string
  cancel?: ComponentChildren
  send: SendMessage
}

/** A message with attachments. Shows errors at their fields, and keeps the input when sending fails. */
export function MessageForm({ check = () => true, minLength = 2, send, ...props }: FormProps) {
  const { label, name, children, button, cancel, emptyError = t('help.text.wrong') } = props
  const text = useSignal('')
  const files = useSignal<File[]>([])
  const error = useSignal('')
  const fileError = useSignal('')
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const isComplete = check()
    const { length } = text.value.trim()
    error.value = length >= minLength ? '' : length === 0 ? emptyError : t('help.text.wrong')
    if (page.session.busy.value || !isComplete || error.value) return
    const faults = await send(text.value.trim(), files.value)
    if (faults === null) {
      text.value = ''
      files.value = []
      return
    }
    fileError.value = faults.some(({ path }) => path.startsWith('files')) ? t('help.files.wrong') : ''
    error.value = faults.some(({ path }) => path === 'text') ? t('help.text.wrong') : ''
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {children}
      <Text
        name={name}
        label={label}
        value={text.value}
        error={error.value}
        onValue={(value) => {
          text.value = value
          error.value = ''
        }}
      />
      <Files
        files={files.value}
        error={fileError.value}
        onFiles={(next, fault) => {
          files.value = next
          fileError.value = fault
        }}
      />
      <TroubleNotice />
      <div class="actions">
        <Button submit>{button ?? t('help.add.send')}</Button>
        {cancel}
      </div>
    </form>
  )
}

interface TextProps {
  name: string
  label: string
  value: string
  error: string
  onValue(value: string): void
}

const Text = ({ name, label, value, error, onValue }: TextProps) => (
  <div class={error ? 'field bad' : 'field'}>
    <label for={name}>{label}</label>
    <p class="hint" id={`${name}-hint`}>
      {t('help.text.hint')}
    </p>
    {error && (
      <p class="wrong" id={`${name}-wrong`} role="alert">
        {error}
      </p>
    )}
    <textarea
      id={name}
      rows={5}
      maxLength={5000}
      aria-invalid={error ? true : undefined}
      aria-describedby={`${name}-hint${error ? ` ${name}-wrong` : ''}`}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
)

/** Adds the chosen files that may be sent. Returns all files, and an error if a file was rejected. */
function addFiles(files: File[], list: FileList | null): [File[], string] {
  const chosen = [...(list ?? [])]
  const accepted = chosen.filter(
    ({ type, size }) => attachmentTypes.some((each) => each === type) && size <= maxAttachmentBytes,
  )
  const allFiles = [...files, ...accepted].slice(0, maxFiles)
  return [allFiles, accepted.length < chosen.length ? t('help.files.wrong') : '']
}

interface FilesProps {
  files: File[]
  error: string
  onFiles(files: File[], error: string): void
}

const Files = ({ files, error, onFiles }: FilesProps) => (
  <div class="field">
    {error && (
      <p class="wrong" role="alert">
        {error}
      </p>
    )}
    {files.map((file) => (
      <p key={file.size + file.name} class="picked">
        {file.name}{' '}
        <button
          type="button"
          class="quiet"
          aria-label={t('help.files.without', { name: file.name })}
          onClick={() =>
            onFiles(
              files.filter((each) => each !== file),
              '',
            )
          }
        >
          <Icon path={cross} />
        </button>
      </p>
    ))}
    {files.length < maxFiles && <FileButton onPick={(list) => onFiles(...addFiles(files, list))} />}
  </div>
)

function FileButton({ onPick }: { onPick(list: FileList | null): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="actions">
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={attachmentTypes.join(',')}
        onChange={(event) => {
          onPick(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <Button kind="plain" onClick={() => input.current?.click()}>
        {t('help.files')}
      </Button>
      <span class="hint">{t('help.files.hint')}</span>
    </div>
  )
}

/** The form of a message with files; without files only the message. */
export function withFiles(body: object, files: readonly File[]): object {
  if (files.length === 0) return body
  const form = new FormData()
  form.append('body', JSON.stringify(body))
  for (const file of files) form.append(attachmentField, file)
  return form
}

interface NewProps {
  lender: string | null
  /** The preselected category, or empty. OTHER preselects none: the borrower's choice decides who answers. */
  about: string
  post: Post
  done(): void
}

/** The form of a new complaint. */
export function NewComplaint({ lender, about, post, done }: NewProps) {
  const category = useSignal(about === 'OTHER' ? '' : about)
  const isMissing = useSignal(false)
  const concernsLender = isLendersMatter(category.value)
  const send: SendMessage = async (text, files) => {
    const faults = await post('', { category: category.value, text, language: language.value }, files)
    if (faults === null) done()
    return faults
  }
  const check = () => {
    isMissing.value = category.value === ''
    return !isMissing.value
  }
  const choose = (next: string) => {
    category.value = next
    isMissing.value = false
  }
  return (
    <div class="card">
      <MessageForm
        label={t('help.text')}
        name="complaint-text"
        minLength={10}
        emptyError={t('help.text.empty')}
        button={t('help.send')}
        send={send}
        check={check}
        cancel={
          <Button kind="quiet" onClick={done}>
            {t('help.cancel')}
          </Button>
        }
      >
        <Categories chosen={category.value} isMissing={isMissing.value} choose={choose} />
        {lender && concernsLender && <p class="hint">{t('help.lender', { lender })}</p>}
      </MessageForm>
    </div>
  )
}

interface CategoriesProps {
  chosen: string
  isMissing: boolean
  choose(category: string): void
}

const Categories = ({ chosen, isMissing, choose }: CategoriesProps) => (
  <fieldset class={isMissing ? 'field bad' : 'field'}>
    <legend>{t('help.category')}</legend>
    {isMissing && (
      <p class="wrong" role="alert">
        {t('help.category.wrong')}
      </p>
    )}
    <div class="choices">
      {complaintFormCategories.map((each) => (
        <label class="choice" key={each}>
          <input
            type="radio"
            name="complaint-category"
            value={each}
            checked={each === chosen}
            onChange={() => choose(each)}
          />
          {textOf(`help.${each}`)}
        </label>
      ))}
    </div>
  </fieldset>
)
