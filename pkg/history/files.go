package history

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// maxFiles is how many files of one message count.
const maxFiles = 20

// UploadURL is what the address of an upload begins with.
const UploadURL = "/api/uploads/"

// filePart is a part of a message that is a file: a UI message's, or a content
// part of OpenAI's.
type filePart struct {
	MediaType string `json:"mediaType"`
	Filename  string `json:"filename"`
	URL       string `json:"url"`
	ImageURL  struct {
		URL string `json:"url"`
	} `json:"image_url"`
	File struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
	} `json:"file"`
}

// wholeFile is the prefix of an address that contains the file itself.
const wholeFile = "data:"

func (m Message) hasWholeFile() bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return strings.HasPrefix(f.URL, wholeFile) })
}

// dropWholeFiles removes the content of inline files, and reports whether that
// makes the message short enough. Clients keep a refused message, which must
// not block their conversation.
func (m *Message) dropWholeFiles() bool {
	rest := len(m.Text)
	for i, f := range m.Files {
		if strings.HasPrefix(f.URL, wholeFile) {
			m.Files[i].URL = wholeFile
		}
		rest += len(m.Files[i].URL) + len(f.Name) + len(f.Type)
	}
	return rest <= MaxMessageBytes
}

// filesOf returns the files of a person's message: its parts, or a list of the
// ids of uploads.
func filesOf(parts []wirePart, attachments rawjson.Value) []File {
	var files []File
	add := func(f File) {
		if strings.HasPrefix(f.URL, UploadURL) {
			f.Name, f.Type = "", "" // the upload knows
		}
		if f.URL != "" && len(files) < maxFiles {
			files = append(files, f)
		}
	}
	for _, p := range parts {
		if p.Type != "file" && p.Type != "image_url" {
			continue
		}
		var f filePart
		if json.Unmarshal(p.raw, &f) != nil {
			continue // of a form that we do not know
		}
		add(File{URL: cmp.Or(f.URL, f.File.Data, f.ImageURL.URL), Name: cmp.Or(f.Filename, f.File.Name),
			Type: f.MediaType})
	}
	if attachments.Is('[') {
		for item := range attachments.Items() {
			id, ok := item.Text()
			if !ok {
				id, _ = within(item, "id").Text()
			}
			if id != "" {
				add(File{URL: UploadURL + id})
			}
		}
	}
	return files
}
