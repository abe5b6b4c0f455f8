// Colour theme of a page, stored in the browser.
import { signal } from '@preact/signals'

export const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
export type Theme = (typeof themes)[number][0]

/** The theme of a page, stored in localStorage under `name`. */
export function storedTheme(name: string) {
  const theme = signal<Theme>(themes.find(([each]) => each === readStored(name))?.[0] ?? 'system')
  function applyTheme(): void {
    if (theme.value === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  }
  function chooseTheme(next: Theme): void {
    theme.value = next
    applyTheme()
    try {
      localStorage.setItem(name, next)
    } catch {
      // Without storage, the choice lasts until the page is closed.
    }
  }
  return { theme, applyTheme, chooseTheme }
}

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
