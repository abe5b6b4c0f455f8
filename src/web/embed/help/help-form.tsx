// The forms under "Help and complaints": a new complaint, and words that are added to one, with photos and papers.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import {
  attachmentTypes,
  complaintCategories,
  isLendersMatter,
  maxAttachmentBytes,
} from '#contract/console/complaint-lists.ts'
import { Button, TroubleNotice } from '../form/form.tsx'
import type { FieldFault } from '../page/api.ts'
import { here } from '../page/here.ts'
import { language, t, textOf } from '../text.ts'

/** Sends a borrower's act on complaints; returns its faults, null when it was accepted. */
export type Post = (path: string, body: object) => Promise<FieldFault[] | null>

const mostFiles = 3

interface SentFile {
  name: string
  type: string
  content: string
}

type Send = (text: string, files: SentFile[]) => Promise<FieldFault[] | null>

interface WordsProps {
  label: string
  name: string
  /** Above the words. */
  children?: ComponentChildren
  /** False while a field above the text is missing; it shows its own error. */
  check?(): boolean
  least?: number
  button?: string
  send: Send
}

/** A text with files. Faults are shown at their fields, and the input stays when sending failed. */
export function Words({ label, name, children, check = () => true, least = 2, button, send }: WordsProps) {
  const text = useSignal('')
  const files = useSignal<SentFile[]>([])
  const wrong = useSignal('')
  const wrongFile = useSignal('')
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const isComplete = check()
    wrong.value = text.value.trim().length < least ? t('help.text.wrong') : ''
    if (here.session.busy.value || !isComplete || wrong.value) return
    const faults = await send(text.value.trim(), files.value)
    if (faults === null) {
      text.value = ''
      files.value = []
      return
    }
    wrongFile.value = faults.some(({ path }) => path.startsWith('files')) ? t('help.files.wrong') : ''
    wrong.value = faults.some(({ path }) => path === 'text') ? t('help.text.wrong') : ''
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {children}
      <Text
        name={name}
        label={label}
        value={text.value}
        wrong={wrong.value}
        onValue={(value) => {
          text.value = value
          wrong.value = ''
        }}
      />
      <Files
        name={name}
        files={files.value}
        wrong={wrongFile.value}
        onFiles={(given, fault) => {
          files.value = given
          wrongFile.value = fault
        }}
      />
      <TroubleNotice />
      <div class="actions">
        <Button submit>{button ?? t('help.add.send')}</Button>
      </div>
    </form>
  )
}

interface TextProps {
  name: string
  label: string
  value: string
  wrong: string
  onValue(value: string): void
}

const Text = ({ name, label, value, wrong, onValue }: TextProps) => (
  <div class={wrong ? 'field bad' : 'field'}>
    <label for={name}>{label}</label>
    <p class="hint" id={`${name}-hint`}>
      {t('help.text.hint')}
    </p>
    {wrong && (
      <p class="wrong" id={`${name}-wrong`} role="alert">
        {wrong}
      </p>
    )}
    <textarea
      id={name}
      rows={5}
      maxLength={5000}
      aria-invalid={wrong ? true : undefined}
      aria-describedby={`${name}-hint${wrong ? ` ${name}-wrong` : ''}`}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
)

/** The sendable files, with earlier ones; and whether one was rejected. */
async function withChosen(files: SentFile[], list: FileList | null): Promise<[SentFile[], string]> {
  const given = [...(list ?? [])]
  const fit = given.filter(
    ({ type, size }) => attachmentTypes.some((each) => each === type) && size <= maxAttachmentBytes,
  )
  const all = [...files, ...(await Promise.all(fit.map(read)))].slice(0, mostFiles)
  return [all, fit.length < given.length ? t('help.files.wrong') : '']
}

interface FilesProps {
  name: string
  files: SentFile[]
  wrong: string
  onFiles(files: SentFile[], wrong: string): void
}

const Files = ({ name, files, wrong, onFiles }: FilesProps) => (
  <div class="field">
    <label for={`${name}-files`}>{t('help.files')}</label>
    <p class="hint">{t('help.files.hint')}</p>
    {wrong && (
      <p class="wrong" role="alert">
        {wrong}
      </p>
    )}
    {files.map((file) => (
      <p key={file.content.length + file.name} class="picked">
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
          ✕
        </button>
      </p>
    ))}
    {files.length < mostFiles && (
      <input
        id={`${name}-files`}
        type="file"
        multiple
        accept={attachmentTypes.join(',')}
        onChange={(event) => {
          void withChosen(files, event.currentTarget.files).then((chosen) => onFiles(...chosen))
          event.currentTarget.value = ''
        }}
      />
    )}
  </div>
)

const read = (file: File): Promise<SentFile> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const url = String(reader.result)
      resolve({ name: file.name, type: file.type, content: url.slice(url.indexOf(',') + 1) })
    }
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

interface NewProps {
  lender: string | null
  /** The subject, if the page knows it. */
  about: string
  post: Post
  done(): void
}

export function NewComplaint({ lender, about, post, done }: NewProps) {
  const category = useSignal(about)
  const wrong = useSignal(false)
  const isLenders = isLendersMatter(category.value)
  const send: Send = async (text, files) => {
    const faults = await post('', { category: category.value, text, language: language.value, files })
    if (faults === null) done()
    return faults
  }
  const check = () => {
    wrong.value = category.value === ''
    return !wrong.value
  }
  const choose = (each: string) => {
    category.value = each
    wrong.value = false
  }
  return (
    <div class="card">
      <Words label={t('help.text')} name="complaint-text" least={10} button={t('help.send')} send={send} check={check}>
        <Categories chosen={category.value} isWrong={wrong.value} choose={choose} />
        {lender && isLenders && <p class="hint">{t('help.lender', { lender })}</p>}
      </Words>
      <Button kind="quiet" onClick={done}>
        {t('help.cancel')}
      </Button>
    </div>
  )
}

interface CategoriesProps {
  chosen: string
  isWrong: boolean
  choose(category: string): void
}

const Categories = ({ chosen, isWrong, choose }: CategoriesProps) => (
  <fieldset class={isWrong ? 'field bad' : 'field'}>
    <legend>{t('help.category')}</legend>
    {isWrong && (
      <p class="wrong" role="alert">
        {t('help.category.wrong')}
      </p>
    )}
    <div class="choices">
      {complaintCategories.map((each) => (
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
