// Loads a chunk once, with a waiting state and retries.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { type TextFile, t } from '../text.ts'
import type { DeferredFiles } from './chunk-urls.ts'
import { loadTexts } from './deferred-content.tsx'
import { page } from './page-state.ts'
import { Waiting } from './waiting.tsx'

export interface Chunk {
  /** File of texts that the chunk needs. */
  texts: TextFile
  load(): Promise<boolean>
}

/** Ignores a failure, because missing reason texts are shown in English. */
const loadReasonTexts = (): Promise<void> => loadTexts('reasons').catch(() => {})

/** Each try has its own URL, because a browser may cache a failed one. */
export function chunkOf(texts: TextFile, file: keyof DeferredFiles): Chunk {
  let tryCount = 0
  let loading: Promise<boolean> | null = null
  const load = () => {
    loading ??= Promise.all([
      import(/* @vite-ignore */ `${page.files[file]}?${tryCount++}`),
      loadTexts(texts),
      loadReasonTexts(),
    ]).then(
      () => true,
      () => {
        loading = null
        return false
      },
    )
    return loading
  }
  return { texts, load }
}

interface FetchedProps {
  chunk: Chunk
  /** Renders the chunk's content once it is loaded. */
  render(): VNode | undefined
  /** Shows nothing while the chunk loads or after a failure, for content that the screen can do without. */
  optional?: boolean
}

/** Content of a chunk, which is loaded when it is first shown. */
export function Fetched({ chunk, render, optional }: FetchedProps) {
  const state = useSignal<'loading' | 'ready' | 'failed'>('loading')
  async function load(): Promise<void> {
    state.value = 'loading'
    state.value = (await chunk.load()) ? 'ready' : 'failed'
  }
  useEffect(() => void load(), [])
  const failed = state.value === 'failed'
  const content = page.texts.has(chunk.texts) || state.value === 'ready' ? render() : undefined
  if (content || optional) return content ?? null
  return (
    <section class={failed ? undefined : 'fetching'}>
      {failed ? (
        <>
          <p class="notice">{t('trouble.busy')}</p>
          <Actions>
            <Button onClick={() => void load()}>{t('trouble.again')}</Button>
          </Actions>
        </>
      ) : (
        <Waiting>{t('loan.loading')}</Waiting>
      )}
    </section>
  )
}
