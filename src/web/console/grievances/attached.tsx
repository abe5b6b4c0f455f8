// Chooses, validates and removes the files of an answer.
import { useSignal } from '@preact/signals'
import { attachmentTypes, maxAttachments } from '#contract/console/complaint-lists.ts'
import { type ReadFile, readFile } from './words.ts'

export function AttachedFiles({ files, onFiles }: { files: ReadFile[]; onFiles(files: ReadFile[]): void }) {
  const error = useSignal<string | null>(null)
  async function addFiles(list: FileList | null): Promise<void> {
    const results = await Promise.all([...(list ?? [])].map(readFile))
    error.value = results.find((each) => typeof each === 'string') ?? null
    onFiles([...files, ...results.filter((each) => typeof each !== 'string')].slice(0, maxAttachments))
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
            ✕
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
            void addFiles(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </label>
      {error.value && <span class="fault">{error.value}</span>}
    </div>
  )
}
