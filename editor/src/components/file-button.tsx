interface Props {
  readonly label: string
  readonly look?: 'primary' | 'plain'
  readonly multiple?: boolean
  /** It keeps the focus, which browsers take from a disabled field. */
  readonly isBusy: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** A button that asks for pictures. */
export function FileButton({ label, look = 'plain', multiple = false, isBusy, onFiles }: Props) {
  return (
    <label className={`button ${look} upload`}>
      {label}
      <input
        type="file"
        className="visually-hidden"
        accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
        multiple={multiple}
        aria-disabled={isBusy || undefined}
        onClick={(event) => isBusy && event.preventDefault()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // So that the same file can be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </label>
  )
}
