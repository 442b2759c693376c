package uploads

import (
	"mime"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/speech"
	"github.com/bellhop-ai/bellhop/pkg/uploads/excerpt"
)

// Kind is what is done with a file.
type Kind string

// The kinds of files that are taken.
const (
	Text  Kind = "text"
	Sheet Kind = "sheet" // of cells, as Excel has it
	PDF   Kind = "pdf"
	Image Kind = "image"
	Sound Kind = "sound" // to be transcribed
)

// Purpose is what a file is sent for.
type Purpose string

// The purposes.
const (
	ForChat       Purpose = "chat"
	ForTranscribe Purpose = "transcribe"
	// ForPhoto is a photo of a project: smaller pictures are made of it, and the file
	// that was sent is not kept.
	ForPhoto Purpose = "photo"
)

// maxPhoto is how large a photo may be as it is sent, in bytes.
const maxPhoto = 15 << 20

// maxBytes is how large a file of the kind may be for a purpose.
func maxBytes(k Kind, p Purpose) int64 {
	if p == ForPhoto && k == Image {
		return maxPhoto
	}
	return k.MaxBytes()
}

// MaxBytes is how large the file may be.
func (d Draft) MaxBytes() int64 { return maxBytes(d.Kind, d.Purpose) }

const typeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// MaxBytes is how large a file of the kind may be; for photos of projects see Draft.
func (k Kind) MaxBytes() int64 {
	switch k {
	case Text:
		return 2 << 20
	case Image:
		return 5 << 20
	case Sound:
		return speech.MaxBytes
	}
	return 10 << 20
}

func (k Kind) noun() string {
	switch k {
	case Text:
		return "text file"
	case Sheet:
		return "Excel file"
	case PDF:
		return "PDF file"
	case Image:
		return "picture"
	case Sound:
		return "recording"
	}
	return "file"
}

// kindOfType returns the kind that a media type names.
func kindOfType(mediaType string) (Kind, bool) {
	switch mediaType {
	case "text/plain", "text/csv", "text/markdown", "text/tab-separated-values", "application/json", "application/csv",
		"text/x-markdown":
		return Text, true
	case typeXLSX:
		return Sheet, true
	case "application/pdf", "application/x-pdf":
		return PDF, true
	case "image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif":
		return Image, true
	case "video/webm", "video/mp4", "application/ogg":
		return Sound, true
	}
	return Sound, strings.HasPrefix(mediaType, "audio/")
}

// kindOfName returns the kind that an ending of a name names.
func kindOfName(name string) (Kind, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".csv", ".tsv", ".md", ".markdown", ".json", ".log":
		return Text, true
	case ".xlsx":
		return Sheet, true
	case ".pdf":
		return PDF, true
	case ".png", ".jpg", ".jpeg", ".webp", ".gif":
		return Image, true
	case ".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm":
		return Sound, true
	}
	return "", false
}

const sayReadable = "Assistants read text and CSV files, Excel files (.xlsx), PDF files and pictures (PNG, JPEG, " +
	"WebP, GIF)."

const sayPhotos = "Photos are JPEG, PNG, WebP or HEIC files."

const typeHEIC = "image/heic"

// isPhoto reports whether photos of projects may be of a media type.
func isPhoto(mediaType string) bool {
	return slices.Contains([]string{"image/jpeg", "image/jpg", "image/png", "image/webp", typeHEIC, "image/heif"},
		mediaType)
}

// Ask checks what a user wants to send, before anything is sent. It returns
// fault.Invalid, fault.Unprocessable with the code "type_not_read" for a type
// that is not read, and fault.TooLarge.
func Ask(name, mediaType string, size int64, purpose Purpose) (Draft, error) {
	d := Draft{Name: CleanName(name), Size: size, Purpose: purpose}
	d.Type, _, _ = mime.ParseMediaType(mediaType)
	switch purpose {
	case "", ForChat, ForTranscribe:
	case ForPhoto:
		return askPhoto(d)
	default:
		return d, fault.New(fault.Invalid, `The purpose must be "chat", "transcribe" or "photo".`)
	}
	kind, known := kindOfType(d.Type)
	if d.Kind = kind; !known && slices.Contains([]string{"", "application/octet-stream", "binary/octet-stream",
		"application/vnd.ms-excel"}, d.Type) {
		// Windows calls a CSV file an Excel one.
		d.Kind, known = kindOfName(d.Name)
		d.Type = "application/octet-stream"
	}
	switch {
	case !known:
		return d, fault.New(fault.Unprocessable, "%s “%s” is none of them.", sayReadable,
			d.Name).WithCode("type_not_read")
	case d.Kind == Sound && purpose == ForChat:
		return d, fault.New(fault.Unprocessable, "%s A recording is turned into words first.",
			sayReadable).WithCode("type_not_read")
	case d.Kind != Sound && purpose == ForTranscribe:
		return d, fault.New(fault.Unprocessable, "“%s” is no recording.", d.Name).WithCode("type_not_read")
	}
	return d, d.checkSize()
}

// askPhoto is Ask for a photo of a project. Phones and browsers often have no type for
// HEIC files.
func askPhoto(d Draft) (Draft, error) {
	d.Kind = Image
	if !isPhoto(d.Type) {
		ending := strings.ToLower(path.Ext(d.Name))
		if !slices.Contains([]string{"", "application/octet-stream", "binary/octet-stream"}, d.Type) ||
			!slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"}, ending) {
			return d, fault.New(fault.Unprocessable, "%s “%s” is none of them.", sayPhotos,
				d.Name).WithCode("type_not_read")
		}
		d.Type = "application/octet-stream"
	}
	return d, d.checkSize()
}

// checkSize looks at the size that was announced.
func (d Draft) checkSize() error {
	switch {
	case d.Size <= 0:
		return fault.New(fault.Invalid, "The file is empty, or its size is not told.")
	case d.Size > d.MaxBytes():
		return tooLarge(d)
	}
	return nil
}

func tooLarge(d Draft) *fault.Error {
	f := fault.New(fault.TooLarge, "“%s” is too large: a %s may have at most %d MB.", d.Name, d.Kind.noun(),
		d.MaxBytes()>>20)
	f.Limit = "file_bytes"
	return f
}

// longestName is in characters.
const longestName = 100

// CleanName returns a file's name as people and models may see it: no folders,
// nothing invisible, not too long. The ending stays.
func CleanName(name string) string {
	name = strings.ToValidUTF8(name, "")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !excerpt.Shown(r), strings.ContainsRune("<>\"“”", r):
			return -1
		}
		return r
	}, name)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	if utf8.RuneCountInString(name) > longestName {
		end := path.Ext(name)
		if utf8.RuneCountInString(end) > 10 {
			end = ""
		}
		head := []rune(strings.TrimSuffix(name, end))
		name = string(head[:longestName-1-utf8.RuneCountInString(end)]) + "…" + end
	}
	if name == "" {
		return "file"
	}
	return name
}
