// Reads a chosen logo in the browser, so that the preview can show it before it is saved.

export interface LogoPicture {
  url: string
  width: number
  height: number
  /** Base64 of a newly chosen file; null for the saved logo. */
  data: string | null
}

/** Rejects a file that the browser cannot decode as an image. */
export async function readLogo(file: File): Promise<LogoPicture> {
  const url = await dataUrl(file)
  const image = new Image()
  image.src = url
  await image.decode()
  const width = image.naturalWidth || 1
  const height = image.naturalHeight || 1
  return { url, width, height, data: url.slice(url.indexOf(',') + 1) }
}

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
