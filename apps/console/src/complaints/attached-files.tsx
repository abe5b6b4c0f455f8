// Chooses, validates and removes the files of an answer.

import { Icon } from '@lendloom/design/icon'
import { cross } from '@lendloom/design/icons'
import { attachmentTypes, maxAttachments } from '@lendloom/wire/console/complaint-lists'
import { useSignal } from '@preact/signals'
import { fileFault } from './complaint-texts.ts'

export function AttachedFiles({ files, onFiles }: { files: File[]; onFiles(files: File[]): void }) {
  const error = useSignal<string | null>(null)
  function addFiles(list: FileList | null): void {
    const chosen = [...(list ?? [])]
    error.value = chosen.map(fileFault).find((fault) => fault !== null) ?? null
    onFiles([...files, ...chosen.filter((file) => fileFault(file) === null)].slice(0, maxAttachments))
  }
  return (
    <div class="attached">
      {files.map((file) => (
        <span key={file.name} class="file">
          {file.name}{' '}
          <button
            type="button"
            class="quiet-button"
            aria-label={`Remove ${file.name}`}
            onClick={() => onFiles(files.filter((each) => each !== file))}
          >
            <Icon path={cross} />
          </button>
        </span>
      ))}
      <label class="secondary small">
        Attach a file
        <input
          type="file"
          class="unseen"
          multiple
          accept={attachmentTypes.join(',')}
          onChange={(event) => {
            addFiles(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </label>
      {error.value && <span class="fault">{error.value}</span>}
    </div>
  )
}
